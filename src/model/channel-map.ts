import { z } from 'zod';
import { SpeakerRole } from './transcript.ts';

const channelIndex = /^\d{1,2}$/;
const channelMax = 99;
const roles: readonly string[] = SpeakerRole.options;

/** Which role speaks on which channel of the recording, counted from 0: `{"0":"customer","1":"agent"}`. */
export const ChannelMap = z.record(z.string().regex(channelIndex), SpeakerRole).meta({
  description:
    'Role of each channel of the recording, by index from 0. Channels that are left out are told by content.',
  example: { '0': 'customer', '1': 'agent' },
});
export type ChannelMap = z.infer<typeof ChannelMap>;

const channel = z.int().min(0).max(channelMax);
const given = z.record(
  z.string(),
  z.union([SpeakerRole, channel], {
    error: `Expected a role (${roles.join(', ')}) for a channel, or the index of a channel for a role`,
  }),
);

const byRole = `^(?:${roles.join('|')})$`;

/** Both spellings in one object: generated clients have no type for a choice of two maps. */
const eitherWay = {
  propertyNames: { pattern: `${channelIndex.source}|${byRole}` },
  patternProperties: {
    [channelIndex.source]: { type: 'string' as const, enum: [...SpeakerRole.options] },
    [byRole]: { type: 'integer' as const, minimum: 0, maximum: channelMax },
  },
  additionalProperties: {},
  dependentSchemas: Object.fromEntries(roles.map((role) => [role, { propertyNames: { pattern: byRole } }])),
};

/** What callers send: by channel as `ChannelMap`, or by role, `{"agent":1,"customer":0}`, which comes out as the former. */
export const GivenChannelMap = given.transform(byChannel).meta({
  description:
    'Who speaks on which channel of the recording, counted from 0: by channel or by role. Channels that are left out are told by content.',
  override: ({ jsonSchema }) => {
    Object.assign(jsonSchema, eitherWay);
    jsonSchema.examples = [
      { '0': 'customer', '1': 'agent' },
      { agent: 1, customer: 0 },
    ];
  },
});

function byChannel(map: z.infer<typeof given>, ctx: z.RefinementCtx): ChannelMap {
  const found: ChannelMap = {};
  const refuse = (key: string, message: string): void =>
    ctx.addIssue({ code: 'custom', path: [key], input: map, message });
  const isByRole = Object.keys(map).some((key) => roles.includes(key));
  for (const [key, value] of Object.entries(map)) {
    const role = SpeakerRole.safeParse(isByRole ? key : value).data;
    const index = String(Number(isByRole ? value : key));
    if (isByRole && channelIndex.test(key)) refuse(key, 'Give either channels or roles, not both');
    else if (isByRole ? role === undefined : !channelIndex.test(key)) refuse(key, unknownKey);
    else if (role === undefined) refuse(key, `Expected a role: ${roles.join(', ')}`);
    else if (!channelIndex.test(index)) refuse(key, 'Expected the index of a channel, counted from 0');
    else if (Object.hasOwn(found, index)) refuse(key, `Channel ${index} has a role already`);
    else found[index] = role;
  }
  return found;
}

const unknownKey = `Expected the index of a channel, counted from 0, or a role: ${roles.join(', ')}`;
