import { expect, it } from 'vitest';
import { redactSpeakers } from '../../src/redaction/redact-speakers.ts';
import { toSegment } from './marked.ts';

const role = 'customer' as const;

it('takes numbers and addresses out of the names and ids of speakers, and keeps who speaks where', () => {
  const speakers = [
    { id: 'spk_0', role, name: 'Ann Miller' },
    { id: '+49 170 1234567', role, name: '0170/1234567' },
    { id: 'agent 7', role, name: 'ann@example.com' },
  ];
  const segments = speakers.map(({ id }, index) => toSegment({ text: 'Hello.', speaker: id, index }));
  const redacted = redactSpeakers({ speakers, segments }, { names: false });
  expect(redacted.speakers).toEqual([
    { id: 'spk_0', role, name: 'Ann Miller' },
    { id: 'spk_1', role, name: '[phone number]' },
    { id: 'agent 7', role, name: '[e-mail address]' },
  ]);
  expect(redacted.segments.map(({ speaker }) => speaker)).toEqual(['spk_0', 'spk_1', 'agent 7']);
});

it('takes the names of customers where that is asked for, and leaves agents and what names a party', () => {
  const speakers = [
    { id: 'agent', role: 'agent' as const, name: 'Sarah Lee' },
    { id: 'customer', role, name: 'Ann Miller' },
    { id: 'Ann Miller', role, name: 'Customer' },
    { id: 'Speaker 2', role: 'unknown' as const, name: null },
  ];
  const redacted = redactSpeakers({ speakers, segments: [] }, { names: true });
  expect(redacted.speakers.map(({ id, name }) => [id, name])).toEqual([
    ['agent', 'Sarah Lee'],
    ['customer', '[name]'],
    ['spk_0', 'Customer'],
    ['Speaker 2', null],
  ]);
});
