import { expect, it } from 'vitest';
import { clinicCalls } from '../../src/demo/calls/clinic.ts';
import { serviceDeskCalls } from '../../src/demo/calls/service-desk.ts';
import { audioFormats } from '../../src/providers/audio/formats.ts';

const calls = [...serviceDeskCalls, ...clinicCalls];

it('covers every audio format and both sampling rates', () => {
  expect(new Set(calls.map((call) => call.format))).toEqual(new Set(audioFormats));
  expect(new Set(calls.map((call) => call.sampleRate))).toEqual(new Set([8_000, 16_000]));
});

it('can be told apart by its ids, and has two parties with different voices in each call', () => {
  expect(new Set(calls.map((call) => call.externalId)).size).toBe(calls.length);
  for (const { voices, lines } of calls) {
    expect(voices.agent).not.toBe(voices.customer);
    expect(new Set(lines.map((line) => line.by))).toEqual(new Set(['agent', 'customer']));
  }
});

it('names only telephone numbers that are reserved for fiction', () => {
  for (const { customerPhone } of calls) expect(customerPhone).toMatch(/^\+120255501\d\d$/);
});
