/**
 * What the thirteen calls deserve, judged by reading them, one letter a check in the order of the rubric:
 * p pass, h partial (half), f fail, n not applicable.
 *
 *         greeting: opens company name offer · problem: understood details resolved accepted
 *         professionalism: courtesy respect listening hold clarity · closing: more thanks farewell
 */
export const EXPECTED: Record<string, string> = {
  // New debit card. Asked which card, never told that one is on its way; no amount or address in the call.
  '0002f70f7386445b': 'pppp pnfp pppnn ppp',
  // Branch hours, told at once. No polite word between greeting and closing.
  '0126ffdce48049a9': 'pppp nnpp hppnn ppp',
  // Password reset. The phone number is never read back.
  '0224c92b64d144d4': 'pppp pfpp hppnn ppp',
  // Savings balance. Asked which account; the customer brings no figure.
  '035edd1d09c1433e': 'pppp pnpp hppnn ppp',
  // Checkbook. The address is read back in full. 22 s of agent talk at 194 words a minute: a little fast.
  '03fccf2cf2254435': 'pppp pppp hppnh ppp',
  // New credit card, ordered. "Sure" answers the request.
  '057d15ba6b9044d2': 'pppp pnpp pppnn ppp',
  // Password reset. Asks to repeat the number, never reads it back.
  '07dd22b700514bfd': 'pppp pfpp hppnn ppp',
  // Password reset. The number is read back and confirmed.
  '0851d5916008439f': 'pppp pppp hppnn ppp',
  // Checkbook. The address is never read back.
  '09fc75fc02ea4b46': 'pppp pfpp hppnn ppp',
  // Bill. Only the payee is repeated, not the amount; "we will send your payment" is a next step. 227 words a minute.
  '0bc276cb4aa24507': 'pppp phhp pppnf ppp',
  // Balance. The customer says that it is all before the agent can ask; thanks, but no goodbye.
  '0c7b8cd8a7374ffc': 'pppp pnpp pppnn npf',
  // Appointment. Day and time are confirmed.
  '0e8b236db74847ae': 'pppp pppp hppnn ppp',
  // Transfer. The amount is read back, but nobody says that the money is moved. 263 words a minute.
  '0f4747d1a97f4388': 'pppp ppfp hppnf ppp',
};
