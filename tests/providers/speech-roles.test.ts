import { describe, expect, it } from 'vitest';
import type { HeardUtterance, HeardWord } from '../../src/providers/speech/interface.ts';
import { toSegments } from '../../src/providers/speech/segments.ts';
import { readWordTimes } from '../../src/providers/speech/word-times.ts';
import type { ChannelMap } from '../../src/model/channel-map.ts';
import { assignRoles, type AssignRolesInput } from '../../src/scoring/roles/voices.ts';

type Call = { name: string; agent: string[]; customer: string[] };

const calls: Call[] = [
  {
    name: 'a usual service call',
    agent: [
      'thank you for calling northwind support this is daniel how may i help you today',
      'could you please tell me the order number',
      'is there anything else i can help you with today',
    ],
    customer: [
      'hi i placed an order two weeks ago and it still has not arrived',
      'sure it is four seven two nine one',
      'no that is all',
    ],
  },
  {
    name: 'a call as a recogniser makes it of a bad line',
    agent: [
      'hello this is tom for valley national bank my name is mary how can i help you today',
      'mm hmm',
      'the branch hours are nine thirty am am to file a clock p m',
      'is there anything else i can help you with',
    ],
    customer: [
      'uh highway my name is david jones',
      'i wanted to know the local branch hours',
      'okay thank you',
      'no that is all',
    ],
  },
  {
    name: 'an agent who does not greet',
    agent: ['yes what is it', 'what is your account number', 'i have sent it to your address', 'have a nice day'],
    customer: ['hello i need a replacement for my card', 'four five six', 'okay thanks'],
  },
  {
    name: 'a clinic',
    agent: [
      'good morning riverside clinic emma speaking what can i do for you',
      'can i have your date of birth please',
      'your appointment is on friday at nine',
    ],
    customer: ['good morning i would like to make an appointment', 'march the third', 'that is perfect thank you'],
  },
  {
    name: 'an outbound call',
    agent: [
      'hi am i speaking with mister jones',
      'this is anna from bluebird energy i am calling about your contract',
      'is there anything else i can do for you',
      'have a great evening',
    ],
    customer: ['yes that is me', 'okay', 'no that is all bye'],
  },
];

type Circumstances = Partial<Omit<AssignRolesInput, 'voices'>> & { channelMap?: ChannelMap };

function roles(call: Call, agentChannel: number, { channelMap, ...more }: Circumstances = {}): (string | undefined)[] {
  const voices = [0, 1].map((channel) => ({
    id: `spk_${channel}`,
    role: channelMap?.[String(channel)] ?? null,
    channel,
    texts: channel === agentChannel ? call.agent : call.customer,
  }));
  const assigned = assignRoles({ voices, layout: 'separate', agentName: null, ...more });
  return [assigned.get('spk_0'), assigned.get('spk_1')];
}

describe('roles of speakers', () => {
  it.each(calls)('follow what is said when channels are the usual way round or swapped: $name', (call) => {
    expect(roles(call, 1)).toEqual(['customer', 'agent']);
    expect(roles(call, 0)).toEqual(['agent', 'customer']);
  });

  it.each(calls)('follow the channel map whatever is said: $name', (call) => {
    expect(roles(call, 0, { channelMap: { '0': 'customer', '1': 'agent' } })).toEqual(['customer', 'agent']);
    expect(roles(call, 1, { channelMap: { '0': 'agent', '1': 'customer' } })).toEqual(['agent', 'customer']);
  });

  it('complete a map that names one channel only', () => {
    expect(roles({ name: '', agent: ['hello'], customer: ['hello'] }, 1, { channelMap: { '0': 'agent' } })).toEqual([
      'agent',
      'customer',
    ]);
    expect(roles({ name: '', agent: ['hello'], customer: ['hello'] }, 1, { channelMap: { '1': 'ivr' } })).toEqual([
      'customer',
      'ivr',
    ]);
  });

  it('are customer on channel 0 and agent on channel 1 when nothing tells otherwise', () => {
    expect(roles({ name: '', agent: ['yes', 'okay'], customer: ['hello', 'okay'] }, 0)).toEqual(['customer', 'agent']);
    expect(roles({ name: '', agent: [], customer: [] }, 0)).toEqual(['customer', 'agent']);
  });

  it.each([
    [2, 3, ['customer', 'agent']],
    [0, 4, ['customer', 'agent']],
    [1, 2, ['agent', 'customer']],
  ])('are the usual ones for two people on any channels: %i and %i', (first, second, expected) => {
    const voices = [first, second].map((channel) => ({ id: `spk_${channel}`, role: null, channel, texts: ['yes'] }));
    const assigned = assignRoles({ voices, layout: 'separate', agentName: null });
    expect([...assigned.values()]).toEqual(expected);
  });

  it('follow the agent’s name when one voice introduces itself by it and the other greets it', () => {
    const call = { name: '', agent: ['hello this is mary'], customer: ['hi mary'] };
    expect(roles(call, 0, { agentName: 'Mary Smith' })).toEqual(['agent', 'customer']);
  });

  it('stay unknown for one voice on one track, and for two that cannot be told apart', () => {
    const one = assignRoles({
      voices: [{ id: 'spk_0', role: null, channel: 0, texts: ['how can i help you'] }],
      layout: 'mixed',
      agentName: null,
    });
    expect([...one]).toEqual([['spk_0', 'unknown']]);
    const alike = { name: '', agent: ['hello'], customer: ['hello'] };
    expect(roles(alike, 0, { layout: 'mixed' })).toEqual(['unknown', 'unknown']);
  });

  it.each(calls)('are told by content alone for two voices on one track: $name', (call) => {
    expect(roles(call, 0, { layout: 'mixed' })).toEqual(['agent', 'customer']);
  });
});

const word = (text: string, startMs: number, endMs: number): HeardWord => ({ text, startMs, endMs, confidence: 0.5 });
function utterance(
  channel: number,
  words: HeardWord[],
  text = words.map((item) => item.text).join(' '),
): HeardUtterance {
  return {
    channel,
    voice: null,
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text,
    confidence: null,
    words,
  };
}

describe('segments', () => {
  it('end at pauses over 700 ms, keep the spelling of the engine and are in the order of time', () => {
    const segments = toSegments(
      [
        utterance(1, [word('hello', 100, 400), word('there', 450, 700), word('bye', 1500, 1800)], 'Hello there. Bye!'),
        utterance(0, [word('yes', 800, 1000)]),
      ],
      { durationMs: 5000, layout: 'separate' },
    );
    expect(segments.map(({ channel, startMs, endMs, text }) => [channel, startMs, endMs, text])).toEqual([
      [1, 100, 700, 'Hello there.'],
      [0, 800, 1000, 'yes'],
      [1, 1500, 1800, 'Bye!'],
    ]);
  });

  it('join what an engine cut without a pause', () => {
    const segments = toSegments([utterance(0, [word('one', 0, 300)]), utterance(0, [word('two', 500, 800)])], {
      durationMs: 5000,
      layout: 'separate',
    });
    expect(segments.map(({ text, startMs, endMs, confidence }) => [text, startMs, endMs, confidence])).toEqual([
      ['one two', 0, 800, 0.5],
    ]);
  });

  it('never run backwards or past the end of the recording', () => {
    const [segment] = toSegments([utterance(0, [word('b', 900, 700), word('a', -50, 200), word('c', 950, 9000)])], {
      durationMs: 1000,
      layout: 'separate',
    });
    expect(segment?.words.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
      ['a', 0, 200],
      ['b', 900, 900],
      ['c', 950, 1000],
    ]);
  });
});

describe('word times', () => {
  it('leave out fillers and marks of second pronunciations', () => {
    const words = readWordTimes(
      [
        'u0 1 0.15 0.30 hello(2) 0.986',
        'u0 1 0.45 0.20 <sil> 1.000',
        'u0 1 0.65 0.10 [NOISE] 0.4',
        'u0 1 0.80 0.10 ++BREATH++ 0.4',
        'u0 1 0.90 0.1 you 1.2',
        'broken line',
      ].join('\n'),
    );
    expect(words.get('u0')).toEqual([
      { text: 'hello', startMs: 150, endMs: 450, confidence: 0.986 },
      { text: 'you', startMs: 900, endMs: 1000, confidence: 1 },
    ]);
    expect([...words.keys()]).toEqual(['u0']);
  });
});
