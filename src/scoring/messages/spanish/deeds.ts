import type { Deed, Described, SpokenTitle } from '../terms.ts';

const written: Record<SpokenTitle, Deed> = {
  'Greets the customer': {
    met: (where) => `El agente saluda al cliente ${where}`,
    missed: (where) => `El agente no saluda al cliente ${where}`,
  },
  'Asks how they can help': {
    met: (where) => `El agente ofrece su ayuda ${where}`,
    missed: (where) => `El agente no pregunta en qué puede ayudar ${where}`,
  },
  'Is courteous throughout': {
    met: (where) => `El agente es cortés ${where}`,
    missed: (where) => `El agente no dice ninguna palabra cortés ${where}`,
  },
  'Asks what else is needed': {
    met: (where) => `El agente pregunta si hace falta algo más ${where}`,
    missed: (where) => `El agente no pregunta si hace falta algo más ${where}`,
  },
  'Thanks the customer': {
    met: (where) => `El agente da las gracias al cliente ${where}`,
    missed: (where) => `El agente no da las gracias al cliente ${where}`,
  },
  'Says goodbye': {
    met: (where) => `El agente se despide ${where}`,
    missed: (where) => `El agente no se despide ${where}`,
  },
  'The recording is announced': {
    met: (where) => `Se avisa de la grabación ${where}`,
    missed: (where) => `No se avisa de la grabación ${where}`,
  },
};

const spoken = new Map<string, Deed>(Object.entries(written));

const WHO = { agent: 'El agente', customer: 'El cliente', anyone: 'Alguien' } as const;

export function deed({ title, role }: Described): Deed {
  const known = spoken.get(title);
  if (known) return known;
  const plain = `«${title}»`;
  return {
    met: (where) => `${WHO[role]} dice ${where} lo que pide ${plain}`,
    missed: (where) =>
      role === 'anyone'
        ? `Nadie dice ${where} lo que pide ${plain}`
        : `${WHO[role]} no dice ${where} lo que pide ${plain}`,
  };
}

export function ban({ title, role }: Described, said: string | null, where: string): string {
  const plain = `«${title}»`;
  if (said !== null) return `${WHO[role]} incumple ${plain} ${where} al decir «${said}»`;
  return role === 'anyone'
    ? `Nadie dice ${where} nada que incumpla ${plain}`
    : `${WHO[role]} no dice ${where} nada que incumpla ${plain}`;
}
