import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/lib/errors.ts';
import {
  parseSuppliedTranscript,
  type SuppliedTranscriptInput,
} from '../../src/domain/transcripts/supplied-transcript.ts';
import { Transcript } from '../../src/model/transcript.ts';

function parse(text: string, more: Partial<SuppliedTranscriptInput> = {}): Transcript {
  const transcript = parseSuppliedTranscript({ text, recordId: 'rec_1', language: null, agentName: null, ...more });
  return Transcript.parse(transcript);
}

/** `role/name startMs-endMs text` for each segment. */
function lines(text: string, more: Partial<SuppliedTranscriptInput> = {}): string[] {
  const { segments, speakers } = parse(text, more);
  const names = new Map(speakers.map(({ id, name }) => [id, name]));
  return segments.map(
    ({ role, speaker, startMs, endMs, text }) => `${role}/${names.get(speaker)} ${startMs}-${endMs} ${text}`,
  );
}

function mistakeOf(text: string): { message: string; details: AppError['details'] } {
  try {
    parse(text);
  } catch (err) {
    if (err instanceof AppError && err.code === 'VALIDATION_ERROR')
      return { message: err.message, details: err.details };
    throw err;
  }
  throw new Error('expected a VALIDATION_ERROR');
}

describe('a WebVTT transcript', () => {
  it('may have a header, notes, regions, styles, identifiers, settings and hours or none', () => {
    const vtt = `WEBVTT - made by a telephone system
Kind: captions

NOTE
all of this is skipped

REGION
id:fred

STYLE
::cue { color: red }

1
00:01.000 --> 00:02.000 align:start position:10%
<v Agent>Hello, <i>how</i> can I <c.loud>help</c>?</v>

greeting
01:00:03.500 --> 01:00:04.000
<v.first Patricia Brown>Hi &amp; thanks, it is 3 &lt; 4&nbsp;&#33;&#0;

NOTE one more
`;
    expect(lines(vtt)).toEqual([
      'agent/null 1000-2000 Hello, how can I help?',
      'customer/Patricia Brown 3603500-3604000 Hi & thanks, it is 3 < 4 !',
    ]);
  });

  it('may have a byte order mark and any line ends', () => {
    const vtt =
      '\uFEFFWEBVTT\r\n\r\n00:00.000 --> 00:01.000\r\n<v Agent>one\r\ntwo\r\n\r\n00:02.000 --> 00:03.000\r<v Caller>three\r';
    expect(lines(vtt)).toEqual(['agent/null 0-1000 one two', 'customer/null 2000-3000 three']);
  });

  it('may hold several voices in one cue, which share its time by length', () => {
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.000\n<v Agent>aaaaaa</v> <v Customer>bbbb</v>\n';
    expect(lines(vtt)).toEqual(['agent/null 0-600 aaaaaa', 'customer/null 600-1000 bbbb']);
  });

  it('may label its speakers in the text instead', () => {
    const vtt =
      'WEBVTT\n\n00:00.000 --> 00:01.000\nAGENT: hello\n\n00:01.000 --> 00:02.000\nthere\n\n00:02.000 --> 00:03.000\nCustomer: hi\n';
    expect(lines(vtt)).toEqual(['agent/null 0-1000 hello', 'agent/null 1000-2000 there', 'customer/null 2000-3000 hi']);
  });

  it('tells no speaker where nothing does', () => {
    const { speakers, segments } = parse('WEBVTT\n\n00:00.000 --> 00:01.000\nsome words\n');
    expect(speakers).toEqual([{ id: 'spk_0', role: 'unknown', name: null }]);
    expect(segments[0]).toMatchObject({ index: 0, speaker: 'spk_0', role: 'unknown', channel: 0, words: [] });
  });

  it.each([
    ['WEBVTT\n\n00:00.000 -> 00:01.000\nx', 'line 3: expected the times of a cue'],
    ['WEBVTT\n\nid\nid\n00:00.000 --> 00:01.000\nx', 'line 3: expected the times of a cue'],
    ['WEBVTT\n\n00:00.000 --> 00:0a.000\nx', 'line 3: "00:00.000 --> 00:0a.000" is not a pair of times'],
    ['WEBVTT\n\nok\n00:61.000 --> 00:62.000\nx', 'line 4: "00:61.000 --> 00:62.000" is not a pair of times'],
    ['WEBVTT\n\n00:02.000 --> 00:01.000\nx', 'line 3: the cue ends before it starts'],
    ['WEBVTT\n\n-1:00.000 --> 00:01.000\nx', 'line 3: "-1:00.000 --> 00:01.000" is not a pair of times'],
    ['WEBVTT', 'holds no speech'],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\n<i></i>', 'holds no speech'],
    ['WEBVTT\n\n9999:00:00.000 --> 9999:00:01.000\nx', 'longer than seven days'],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\nx\0y', 'NUL'],
  ])('is refused by name of the mistake: %j', (vtt, mistake) => {
    expect(mistakeOf(vtt)).toMatchObject({
      message: expect.stringContaining(mistake),
      details: [{ path: 'transcript' }],
    });
  });
});

describe('a SubRip transcript', () => {
  it('is read with labels, looks and Windows line ends', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Agent:</i> Hello <b>there</b>\r\n\r\n' +
      '2\r\n00:00:03,000 --> 00:00:04,000 X1:40 X2:600\r\n{\\an8}Caller: a < b\r\nsecond line\r\n\r\n' +
      '3\r\n00:00:05,000 --> 00:00:06,000\r\n\r\n\r\n';
    expect(lines(srt)).toEqual(['agent/null 1000-2500 Hello there', 'customer/null 3000-4000 a < b second line']);
  });

  it('may let two people speak in one cue', () => {
    const srt = '1\n00:00:00,000 --> 00:00:01,000\n- Agent: aaaaaa\n- Customer: bbbb\n';
    expect(lines(srt)).toEqual(['agent/null 0-600 aaaaaa', 'customer/null 600-1000 bbbb']);
  });

  it('is put in order where its cues are not', () => {
    const srt = '1\n00:00:05,000 --> 00:00:06,000\nAgent: later\n\n2\n00:00:01,000 --> 00:00:02,000\nCaller: first\n';
    expect(parse(srt).segments.map(({ index, text }) => [index, text])).toEqual([
      [0, 'first'],
      [1, 'later'],
    ]);
  });

  it.each([
    ['1\n00:00:01,000 --> nothing\nx', 'line 2: "00:00:01,000 --> nothing" is not a pair of times'],
    ['1\n00:00:01,000 --> 00:00:02,000\nx\n\nnot a cue\n', 'line 5: expected the times of a cue'],
  ])('is refused by name of the mistake: %j', (srt, mistake) => {
    expect(mistakeOf(srt).message).toContain(mistake);
  });
});

describe('labels', () => {
  it('may be words that JavaScript has a meaning for', () => {
    const text =
      'WEBVTT\n\n00:00.000 --> 00:01.000\nConstructor: hello\n\n00:01.000 --> 00:02.000\n<v constructor>yes\n';
    expect(lines(text)).toEqual(['unknown/Constructor 0-1000 hello', 'unknown/Constructor 1000-2000 yes']);
  });

  const srtOf = (...texts: string[]) =>
    texts.map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at},500\n${text}\n`).join('\n');
  const speakersOf = (srt: string, agentName: string | null = null) =>
    parse(srt, { agentName }).speakers.map(({ role, name }) => `${role}/${name}`);

  it.each([
    ['Agent', 'agent'],
    ['AGENT 2', 'agent'],
    ['agent_1', 'agent'],
    ['Call Center Agent', 'agent'],
    ['Customer Service Representative', 'agent'],
    ['Customer Service', 'agent'],
    ['CSR', 'agent'],
    ['Operator', 'agent'],
    ['Оператор', 'agent'],
    ['Customer', 'customer'],
    ['CALLER', 'customer'],
    ['client', 'customer'],
    ['Клиент', 'customer'],
    ['IVR', 'ivr'],
    ['System', 'ivr'],
    ['Virtual Assistant', 'ivr'],
    ['Speaker 3', 'unknown'],
    ['Unknown', 'unknown'],
  ])('%s is %s, in text, in brackets and as a voice', (label, role) => {
    expect(speakersOf(srtOf(`${label}: well now`))).toEqual([`${role}/null`]);
    expect(speakersOf(srtOf(`[${label}] well now`))).toEqual([`${role}/null`]);
    expect(speakersOf(`WEBVTT\n\n00:00.000 --> 00:01.000\n<v ${label}>well now`)).toEqual([`${role}/null`]);
  });

  it('keep the name where they hold one beside the role', () => {
    expect(speakersOf(srtOf('Elizabeth (agent): hello', 'Customer [Pat]: hi'))).toEqual([
      'agent/Elizabeth',
      'customer/Pat',
    ]);
  });

  it('with the name of the agent are the agent, and the other one of two is the customer', () => {
    const srt = srtOf('Patricia Brown: hi', 'Elizabeth: hello', 'Patricia Brown: bye');
    expect(speakersOf(srt, 'elizabeth green')).toEqual(['customer/Patricia Brown', 'agent/Elizabeth']);
  });

  it('with other names are told by who opens as agents do', () => {
    const srt = srtOf('Ann: good morning', 'Bob: thank you for calling Acme', 'Ann: I lost my card');
    expect(speakersOf(srt)).toEqual(['customer/Ann', 'agent/Bob']);
    expect(speakersOf(srtOf('Speaker 1: how may I help you', 'Speaker 2: hi'))).toEqual([
      'agent/null',
      'customer/null',
    ]);
  });

  it('stay unknown where nothing tells, or where there are more than two people', () => {
    expect(speakersOf(srtOf('Ann: hi', 'Bob: hi'))).toEqual(['unknown/Ann', 'unknown/Bob']);
    expect(speakersOf(srtOf('Agent: hi', 'Ann: hi', 'Bob: hi'))).toEqual(['agent/null', 'unknown/Ann', 'unknown/Bob']);
  });

  it('do not count a machine among the people', () => {
    const srt = srtOf('IVR: press one', 'Ann: hi', 'Agent: hi');
    expect(speakersOf(srt)).toEqual(['ivr/null', 'customer/Ann', 'agent/null']);
  });

  it('give the only agent the name that is known for them', () => {
    expect(speakersOf(srtOf('Agent: hi', 'Customer: hi'), 'Elizabeth')).toEqual(['agent/Elizabeth', 'customer/null']);
    expect(speakersOf(srtOf('Agent 1: hi', 'Agent 2: hi'), 'Elizabeth')).toEqual(['agent/null', 'agent/null']);
  });

  it('are not made of speech that has a colon', () => {
    const srt = srtOf(
      'Agent: hello',
      "it's 10:30 now",
      'so here is the thing: it broke',
      '[noise] hm',
      'Customer: Note: later',
    );
    expect(lines(srt).map((line) => line.replace(/ \d+-\d+/, ''))).toEqual([
      'agent/null hello',
      "agent/null it's 10:30 now",
      'agent/null so here is the thing: it broke',
      'agent/null [noise] hm',
      'customer/null Note: later',
    ]);
    expect(lines(srtOf('no labels here', 'only Remember: this', 'Remember: that'))[2]).toBe(
      'unknown/null 2000-2500 Remember: that',
    );
  });
});

describe('a JSON transcript', () => {
  const full = {
    recordId: 'rec_other',
    language: 'en-US',
    source: 'speech-to-text',
    model: 'other/engine',
    channels: 2,
    speakers: [
      { id: 'a', role: 'agent', name: 'Elizabeth' },
      { id: 'c', role: 'customer', name: null },
    ],
    segments: [
      {
        id: 'seg_theirs',
        index: 0,
        speaker: 'a',
        role: 'agent',
        channel: 1,
        startMs: 100,
        endMs: 900,
        text: 'hello there',
        confidence: 0.8,
        words: [{ text: 'hello', startMs: 100, endMs: 400, confidence: 0.7 }],
      },
      {
        id: 'x',
        index: 1,
        speaker: 'c',
        role: 'customer',
        channel: 0,
        startMs: 950,
        endMs: 1200,
        text: 'hi',
        confidence: null,
        words: [],
      },
    ],
    text: 'hello there\nhi',
  };

  it('comes back as it was, with ids of its own record', () => {
    const transcript = parse(JSON.stringify(full));
    expect(transcript).toMatchObject({
      ...full,
      recordId: 'rec_1',
      source: 'supplied',
      model: null,
      segments: full.segments.map((segment) => ({ ...segment, id: expect.stringMatching(/^seg_\w{26}$/) })),
    });
    expect(parse(JSON.stringify({ data: full })).segments).toHaveLength(2);
  });

  it('may be no more than a list of who said what and when', () => {
    const list = [
      { role: 'caller', startMs: 1000.4, endMs: 2000, text: ' hi\nthere ' },
      { speaker: 'Agent', startMs: 0, endMs: 900, text: 'hello' },
      { speaker: 1, startMs: 3000, endMs: 3000, text: '' },
    ];
    expect(lines(JSON.stringify(list))).toEqual(['agent/null 0-900 hello', 'customer/null 1000-2000 hi there']);
  });

  it('tells speakers by channel where it names none', () => {
    const list = [
      { channel: 0, startMs: 0, endMs: 900, text: 'thank you for calling' },
      { channel: 1, startMs: 1000, endMs: 2000, text: 'hi' },
    ];
    const transcript = parse(JSON.stringify({ segments: list }), { language: 'de' });
    expect(transcript).toMatchObject({ channels: 2, language: 'de' });
    expect(transcript.speakers).toEqual([
      { id: 'spk_0', role: 'agent', name: null },
      { id: 'spk_1', role: 'customer', name: null },
    ]);
  });

  it('takes roles from the map of channels, unless it tells them itself', () => {
    const list = [
      { channel: 0, startMs: 0, endMs: 900, text: 'hi' },
      { channel: 1, startMs: 1000, endMs: 2000, text: 'hi' },
      { channel: 1, speaker: 'x', role: 'ivr', startMs: 3000, endMs: 4000, text: 'hi' },
    ];
    const roles = parse(JSON.stringify(list), { channelMap: { '0': 'customer', '1': 'agent' } }).segments;
    expect(roles.map(({ role }) => role)).toEqual(['customer', 'agent', 'ivr']);
  });

  it('with broken surrogates is refused, since no database would take them', () => {
    const text = '[{"role":"agent","startMs":0,"endMs":1,"text":"a\\ud800b"}]';
    expect(mistakeOf(text)).toMatchObject({
      message: expect.stringContaining('surrogate'),
      details: [{ path: 'transcript.0.text' }],
    });
  });

  it.each<[unknown, string, string]>([
    [{ segments: [{ startMs: 0, endMs: 1, text: 5 }] }, 'transcript.segments.0.text', 'expected string'],
    [
      [
        { startMs: 0, endMs: 1, text: 'a' },
        { endMs: 1, text: 'a' },
      ],
      'transcript.1.startMs',
      'expected number',
    ],
    [[{ startMs: 2, endMs: 1, text: 'a' }], 'transcript.0.endMs', 'Must not be before startMs'],
    [[{ startMs: -1, endMs: 1, text: 'a' }], 'transcript.0.startMs', '>=0'],
    [{ segments: 'none' }, 'transcript.segments', 'expected array'],
    [{}, 'transcript.segments', 'expected array'],
    [
      [{ startMs: 0, endMs: 1, text: 'a', words: [{ text: 'a', startMs: 2, endMs: 1 }] }],
      'transcript.0.words.0.endMs',
      'Must not be before startMs',
    ],
    [[{ startMs: 0, endMs: 1, text: 'a', confidence: 7 }], 'transcript.0.confidence', '<=1'],
    [{ language: '../x', segments: [] }, 'transcript.language', 'BCP 47'],
  ])('is refused by path: %j', (json, path, message) => {
    expect(mistakeOf(JSON.stringify(json)).details).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it.each(['{"a": [1,2,}', '[', '{"segments":[{"text":"a private sentence" x'])(
    'is refused where it is none: %s',
    (text) => {
      const { message } = mistakeOf(text);
      expect(message).toContain('not valid JSON');
      expect(message).not.toContain('private');
    },
  );

  it('is refused with a NUL in it, and without any speech', () => {
    expect(mistakeOf('[{"role":"agent","startMs":0,"endMs":1,"text":"a\\u0000"}]').message).toContain('NUL');
    expect(mistakeOf('[{"speaker":"a\\u0000","startMs":0,"endMs":1,"text":"a"}]').message).toContain('NUL');
    expect(mistakeOf('{"segments":[]}').message).toContain('holds no speech');
  });

  it('with hundreds of mistakes names twenty', () => {
    const list = Array.from({ length: 500 }, () => ({}));
    expect(mistakeOf(JSON.stringify(list)).details).toHaveLength(20);
  });
});

describe('limits', () => {
  it.each(['', '   ', '\uFEFF\n'])('refuse nothing at all: %j', (text) => {
    expect(mistakeOf(text).message).toContain('is empty');
  });

  it('refuse what is none of the three formats', () => {
    expect(mistakeOf('Agent: hello\nCustomer: hi').message).toContain('neither WebVTT, SubRip nor JSON');
  });

  it('refuse more than 5 MB and more than 20,000 segments, and take 20,000', () => {
    expect(mistakeOf(`WEBVTT\n\n${'x'.repeat(5_000_000)}`).message).toContain('5 MB');
    const list = Array.from({ length: 20_001 }, (_, at) => ({ startMs: at, endMs: at + 1, text: 'a' }));
    expect(mistakeOf(JSON.stringify(list)).message).toContain('20000 segments');
    expect(parse(JSON.stringify(list.slice(1))).segments).toHaveLength(20_000);
  });

  it.each([
    ['angle brackets', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'<'.repeat(4_900_000)}`],
    ['tags', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'<v a>'.repeat(900_000)}x`],
    ['ampersands', `WEBVTT\n\n00:00.000 --> 00:01.000\n${'&#1'.repeat(1_600_000)}`],
    ['lines', `WEBVTT\n\n${'a\n'.repeat(2_400_000)}`],
    ['labels', `1\n00:00:00,000 --> 00:00:01,000\n${'A: b\n'.repeat(190_000)}`],
    ['spaces', `1\n00:00:00,000 --> 00:00:01,000\n${' '.repeat(4_900_000)}x`],
    ['dashes', `1\n00:00:00,000 --> 00:00:01,000\n${'-'.repeat(4_900_000)}`],
    ['digits in a voice', `WEBVTT\n\n00:00.000 --> 00:01.000\n<v ${'1'.repeat(4_000_000)}x>y`],
    ['times', `1\n${'0'.repeat(4_000_000)} --> 1\nx`],
    ['brackets', '['.repeat(4_900_000)],
  ])('hold for five megabytes of %s', (_name, text) => {
    const before = process.cpuUsage();
    const isFine = (() => {
      try {
        return parse(text).segments.length > 0;
      } catch (err) {
        return err instanceof AppError;
      }
    })();
    expect(isFine).toBe(true);
    // Processor time: a busy machine proves nothing about the parser.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
