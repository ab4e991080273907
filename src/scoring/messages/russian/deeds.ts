import type { Deed, Described, SpokenTitle } from '../terms.ts';

const written: Record<SpokenTitle, Deed> = {
  'Greets the customer': {
    met: (where) => `Оператор здоровается с клиентом ${where}`,
    missed: (where) => `Оператор не здоровается с клиентом ${where}`,
  },
  'Asks how they can help': {
    met: (where) => `Оператор предлагает помощь ${where}`,
    missed: (where) => `Оператор не спрашивает, чем помочь, ${where}`,
  },
  'Is courteous throughout': {
    met: (where) => `Оператор говорит вежливые слова ${where}`,
    missed: (where) => `Оператор не говорит ни одного вежливого слова ${where}`,
  },
  'Asks what else is needed': {
    met: (where) => `Оператор спрашивает о других вопросах ${where}`,
    missed: (where) => `Оператор не спрашивает о других вопросах ${where}`,
  },
  'Thanks the customer': {
    met: (where) => `Оператор благодарит клиента ${where}`,
    missed: (where) => `Оператор не благодарит клиента ${where}`,
  },
  'Says goodbye': {
    met: (where) => `Оператор прощается ${where}`,
    missed: (where) => `Оператор не прощается ${where}`,
  },
  'The recording is announced': {
    met: (where) => `О записи разговора предупреждают ${where}`,
    missed: (where) => `О записи разговора не предупреждают ${where}`,
  },
};

const spoken = new Map<string, Deed>(Object.entries(written));

const WHO = { agent: 'Оператор', customer: 'Клиент', anyone: 'Кто-то' } as const;

export function deed({ title, role }: Described): Deed {
  const known = spoken.get(title);
  if (known) return known;
  const plain = `«${title}»`;
  return {
    met: (where) => `${WHO[role]} говорит ${where} то, чего требует ${plain}`,
    missed: (where) =>
      role === 'anyone'
        ? `Никто не говорит ${where} того, чего требует ${plain}`
        : `${WHO[role]} не говорит ${where} того, чего требует ${plain}`,
  };
}

export function ban({ title, role }: Described, said: string | null, where: string): string {
  const plain = `«${title}»`;
  if (said !== null) return `${WHO[role]} нарушает ${plain} ${where} словами «${said}»`;
  return role === 'anyone'
    ? `Никто не говорит ${where} ничего, что нарушает ${plain}`
    : `${WHO[role]} не говорит ${where} ничего, что нарушает ${plain}`;
}
