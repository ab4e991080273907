import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../src/model/transcript.ts';
import { assignRoles, type AssignRolesInput } from '../../src/scoring/roles/voices.ts';
import { call, storedCalls, storedTranscript } from './corpus.ts';
import { INVENTED } from './invented-calls.ts';
import { INVENTED_2 } from './invented-calls-2.ts';
import { INVENTED_3 } from './invented-calls-3.ts';
import { processorMsOf } from '../support/processor-time.ts';

const corpora = {
  'real calls as people wrote them': storedCalls().map((each) => storedTranscript(each, 'text')),
  'real calls as recognised': storedCalls().map((each) => storedTranscript(each, 'asr')),
  'calls of our own': [...INVENTED, ...INVENTED_2, ...INVENTED_3].map(({ script }) => call(script)),
};

function voicesOf({ segments }: Transcript, agentChannel: number): AssignRolesInput['voices'] {
  return (['agent', 'customer'] as const).map((who) => ({
    id: who,
    role: null,
    channel: who === 'agent' ? agentChannel : 1 - agentChannel,
    texts: segments.filter(({ role }) => role === who).map(({ text }) => text),
  }));
}

/** How many calls are told right, wrongly and not at all. */
function tally(transcripts: readonly Transcript[], given: Pick<AssignRolesInput, 'layout'> & { agentChannel: number }) {
  const count = { right: 0, wrong: 0, untold: 0 };
  for (const transcript of transcripts) {
    const voices = voicesOf(transcript, given.agentChannel);
    if (voices.some(({ texts }) => texts.length === 0)) continue;
    const roles = assignRoles({ voices, layout: given.layout, agentName: null });
    if (roles.get('agent') === 'agent' && roles.get('customer') === 'customer') count.right += 1;
    else if (roles.get('agent') === 'customer' || roles.get('customer') === 'agent') count.wrong += 1;
    else count.untold += 1;
  }
  return count;
}

describe('roles of two voices', () => {
  it.each([
    ['real calls as people wrote them', 1],
    ['real calls as recognised', 0.9],
    ['calls of our own', 0.95],
  ] as const)('on one track are told for nearly all %s, and never wrongly', (name, shareMin) => {
    const { right, wrong, untold } = tally(
      corpora[name].map(({ transcript }) => transcript),
      { layout: 'mixed', agentChannel: 0 },
    );
    expect(wrong).toBe(0);
    expect(right / (right + untold)).toBeGreaterThanOrEqual(shareMin);
  });

  it.each(Object.keys(corpora) as (keyof typeof corpora)[])('on the usual channels stay where they are: %s', (name) => {
    const transcripts = corpora[name].map(({ transcript }) => transcript);
    expect(tally(transcripts, { layout: 'separate', agentChannel: 1 })).toMatchObject({ wrong: 0, untold: 0 });
  });

  it('are told by the rest of what is said where neither greets, or both do', () => {
    const said = {
      agent: ['hello how can i help you', 'your refund has been processed', 'is there anything else'],
      customer: ['hello how can i help you get this thing to work', 'i have lost my receipt', 'no that is all'],
    };
    const voices = (['customer', 'agent'] as const).map((id) => ({ id, role: null, channel: 0, texts: said[id] }));
    expect([...assignRoles({ voices, layout: 'mixed', agentName: null })]).toEqual([
      ['customer', 'customer'],
      ['agent', 'agent'],
    ]);
  });

  it('follow what is told about one of them, and leave a recorded voice out of it', () => {
    const texts = ['hello'];
    const voices = [
      { id: 'menu', role: 'ivr' as const, channel: 0, texts },
      { id: 'one', role: null, channel: 0, texts },
      { id: 'other', role: 'customer' as const, channel: 0, texts },
    ];
    const roles = assignRoles({ voices, layout: 'mixed', agentName: null });
    expect(Object.fromEntries(roles)).toEqual({ menu: 'ivr', one: 'agent', other: 'customer' });
  });

  it('are told from a transcript of 20,000 segments in no time', () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `and then we talked about the thing number ${at}`);
    const voices = [
      { id: 'a', role: null, channel: 0, texts: ['thank you for calling how can i help you', ...texts] },
      { id: 'b', role: null, channel: 0, texts: [...texts, 'no that is all thank you for your help'] },
    ];
    expect(processorMsOf(() => assignRoles({ voices, layout: 'mixed', agentName: null }))).toBeLessThan(2_000);
    expect(assignRoles({ voices, layout: 'mixed', agentName: null }).get('a')).toBe('agent');
  });
});
