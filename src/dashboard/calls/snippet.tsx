import { Fragment } from 'react';

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** A search snippet: text with `<mark>` around matches. Parsed as text, so nothing in it becomes markup. */
export function Snippet({ text }: { text: string }) {
  return parse(text).map(({ said, isMatch, at }) =>
    isMatch ? <mark key={at}>{said}</mark> : <Fragment key={at}>{said}</Fragment>,
  );
}

type Part = { said: string; isMatch: boolean; at: number };

export function parse(snippet: string): Part[] {
  return snippet
    .split(/(<mark>.*?<\/mark>)/s)
    .filter((part) => part !== '')
    .map((part, at) => {
      const isMatch = part.startsWith('<mark>');
      return { said: decode(isMatch ? part.slice(6, -7) : part), isMatch, at };
    });
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}
