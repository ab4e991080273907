import { z } from 'zod';
import {
  Category,
  Check,
  ComplianceRule,
  Condition,
  MetricCheck,
  ModelCheck,
  PhraseCheck,
} from '../../model/checks.ts';
import { Limits, Part, Translations, Wording } from '../../model/rubric-parts.ts';
import { ChannelMap, GivenChannelMap } from '../../model/channel-map.ts';
import { Segment, Speaker, Word } from '../../model/transcript.ts';

const named = {
  Category,
  ChannelMap,
  Check,
  ComplianceRule,
  Condition,
  GivenChannelMap,
  Limits,
  MetricCheck,
  ModelCheck,
  Part,
  PhraseCheck,
  Segment,
  Speaker,
  Translations,
  Word,
  Wording,
};

/** Gives schemas of modules that know nothing of documents a name in ours, so that clients have types for them. */
export function nameSchemas(): void {
  for (const [id, schema] of Object.entries(named)) {
    const known = z.globalRegistry.get(schema);
    if (known?.id === undefined) z.globalRegistry.add(schema, { ...known, id });
  }
}
