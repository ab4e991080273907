import type { Deed, Described, SpokenTitle } from '../terms.ts';

const written: Record<SpokenTitle, Deed> = {
  'Greets the customer': {
    met: (where) => `Der Agent begrüßt den Kunden ${where}`,
    missed: (where) => `Der Agent begrüßt den Kunden ${where} nicht`,
  },
  'Asks how they can help': {
    met: (where) => `Der Agent bietet ${where} seine Hilfe an`,
    missed: (where) => `Der Agent fragt ${where} nicht, wie er helfen kann`,
  },
  'Is courteous throughout': {
    met: (where) => `Der Agent ist ${where} höflich`,
    missed: (where) => `Der Agent sagt ${where} kein höfliches Wort`,
  },
  'Asks what else is needed': {
    met: (where) => `Der Agent fragt ${where} nach weiteren Anliegen`,
    missed: (where) => `Der Agent fragt ${where} nicht nach weiteren Anliegen`,
  },
  'Thanks the customer': {
    met: (where) => `Der Agent bedankt sich ${where}`,
    missed: (where) => `Der Agent bedankt sich ${where} nicht`,
  },
  'Says goodbye': {
    met: (where) => `Der Agent verabschiedet sich ${where}`,
    missed: (where) => `Der Agent verabschiedet sich ${where} nicht`,
  },
  'The recording is announced': {
    met: (where) => `Die Aufzeichnung wird ${where} angekündigt`,
    missed: (where) => `Die Aufzeichnung wird ${where} nicht angekündigt`,
  },
};

const spoken = new Map<string, Deed>(Object.entries(written));

const WHO = { agent: 'Der Agent', customer: 'Der Kunde', anyone: 'Jemand' } as const;

export function deed({ title, role }: Described): Deed {
  const known = spoken.get(title);
  if (known) return known;
  const plain = `„${title}“`;
  return {
    met: (where) => `${WHO[role]} sagt ${where}, was ${plain} verlangt`,
    missed: (where) =>
      role === 'anyone'
        ? `Niemand sagt ${where}, was ${plain} verlangt`
        : `${WHO[role]} sagt ${where} nicht, was ${plain} verlangt`,
  };
}

export function ban({ title, role }: Described, said: string | null, where: string): string {
  const plain = `„${title}“`;
  if (said !== null) return `${WHO[role]} verstößt ${where} gegen ${plain}, und zwar mit „${said}“`;
  return role === 'anyone'
    ? `Niemand sagt ${where} etwas, was gegen ${plain} verstößt`
    : `${WHO[role]} sagt ${where} nichts, was gegen ${plain} verstößt`;
}
