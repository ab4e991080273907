import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../../src/lib/secret-box.ts';

const key = () => randomBytes(32).toString('base64url');

describe('a sealed secret', () => {
  it('is opened by its key in its place, and never looks the same twice', () => {
    const box = createSecretBox([key()]);
    const [first, second] = [box.seal('téxt', 'a'), box.seal('téxt', 'a')];
    expect(box.open(first, 'a')).toBe('téxt');
    expect(first).not.toBe(second);
  });

  it('cannot be opened with another key, in another place, or when a single character was changed', () => {
    const box = createSecretBox([key()]);
    const sealed = box.seal('secret', 'a');
    expect(() => createSecretBox([key()]).open(sealed, 'a')).toThrow('not configured');
    expect(() => box.open(sealed, 'b')).toThrow('authenticate');
    const [version, name, text = ''] = sealed.split('.');
    for (let index = 0; index < text.length - 1; index += 1) {
      const changed = `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
      expect(() => box.open(`${version}.${name}.${changed}`, 'a')).toThrow('authenticate');
    }
    for (const broken of ['', 'v1', `v2.${name}.${text}`, `v1.${name}.`, `v1.${name}.${text.slice(0, 20)}`]) {
      expect(() => box.open(broken, 'a')).toThrow(Error);
    }
  });

  it('outlives a change of keys, until the old one is taken away', () => {
    const [old, fresh] = [key(), key()];
    const sealed = createSecretBox([old]).seal('secret', 'a');
    const box = createSecretBox([fresh, old]);
    expect(box.open(sealed, 'a')).toBe('secret');
    expect(createSecretBox([fresh]).open(box.seal('next', 'a'), 'a')).toBe('next');
    expect(() => createSecretBox([fresh]).open(sealed, 'a')).toThrow('not configured');
    expect(() => createSecretBox([])).toThrow('no key');
  });
});
