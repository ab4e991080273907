import { z } from 'zod';

/** What a browser sends is a few hundred bytes; the bounds leave room for long keys. */
const credentialIdLengthMax = 1400;
const clientDataLengthMax = 4096;
const attestationLengthMax = 8192;
const signatureLengthMax = 8192;

function base64Url(lengthMax: number) {
  return z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^[A-Za-z0-9_-]+$/);
}

const credentialParts = {
  id: base64Url(credentialIdLengthMax),
  rawId: base64Url(credentialIdLengthMax),
  type: z.literal('public-key'),
};

/** RegistrationResponseJSON (WebAuthn, section 5.1.8), without what is not used. */
export const PasskeyRegistration = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64Url(clientDataLengthMax),
    attestationObject: base64Url(attestationLengthMax),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .optional(),
  }),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

/** AuthenticationResponseJSON (WebAuthn, section 5.1.8), without what is not used. */
export const PasskeyAnswer = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64Url(clientDataLengthMax),
    authenticatorData: base64Url(clientDataLengthMax),
    signature: base64Url(signatureLengthMax),
    userHandle: base64Url(128).nullish(),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** Letters of any language, without control characters. */
export const PasskeyName = z
  .string()
  .trim()
  .min(1, 'Give the passkey a name.')
  .max(60, 'A name has at most 60 characters.')
  .regex(/^\P{C}*$/u, 'A name contains no control characters.');
