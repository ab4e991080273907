/** Phrases that say the same; a cue counts once, however often it is heard. */
export type RoleCue = { weight: number; phrases: readonly string[] };

/** What only the one who takes the call tends to say. Short phrases rather than sentences: recognisers drop words. */
export const AGENT_CUES: readonly RoleCue[] = [
  {
    weight: 4,
    phrases: [
      'thank you for calling/call/contacting/phoning/ringing/holding/waiting',
      'thanks for calling/contacting/phoning/ringing/holding/waiting',
      'thank you for your call/time/patience',
    ],
  },
  { weight: 4, phrases: ['how can/may/could/might i/we help/assist', 'how can/may/could i/we be of'] },
  {
    weight: 4,
    phrases: [
      'what can i/we do for you',
      'you have reached',
      'how may i direct your call',
      'what seems to be the problem',
      'speaking how',
    ],
  },
  { weight: 3, phrases: ['can/may i help/assist you', 'help you with today', 'help you today'] },
  {
    weight: 3,
    phrases: [
      'anything/something else i/we can/could/may',
      'anything/something else that i/we can/could/may',
      'anything else you need/today',
      'anything else for you',
      'is/was there anything else',
    ],
  },
  {
    weight: 2,
    phrases: [
      'i can/will help/assist/check/look/pull/transfer/put/do/take/get/verify/send/book/arrange/email',
      'i will go ahead',
      'let me help/check/look/pull/see/transfer/put/take/go/get/verify',
      'i would be happy to',
      'happy/glad to help/assist/check/do',
      'i can see',
    ],
  },
  {
    weight: 2,
    phrases: [
      'can/could/may i have/take/get/verify/confirm',
      'can/could/may you please have/get/verify/confirm/give/tell/provide/spell',
      'can/could you get/verify/confirm/provide/spell',
      'do you have your',
    ],
  },
  {
    weight: 2,
    phrases: [
      'what is/was your name/account/phone/email/address/date/birth/order/zip/policy/number/reference',
      'what is/was your * name/account/phone/email/address/date/birth/order/zip/policy/number/reference',
      'what is the name/address/number on',
      'to verify/confirm your',
      'for security purposes',
    ],
  },
  {
    weight: 2,
    phrases: [
      'i/we have sent/issued/scheduled/ordered/updated/reset/refunded/cancelled/canceled/transferred/booked/processed',
      'has been sent/booked/cancelled/processed/updated/scheduled/refunded',
      'you are all set',
    ],
  },
  {
    weight: 2,
    phrases: [
      'your balance/appointment/refund/order/account/card/claim/booking/reservation is/has/will/was',
      'your * has/have been',
    ],
  },
  {
    weight: 2,
    phrases: [
      'which account/card would you like',
      'which * would you like',
      'would you like',
      'what day/date/time would',
      'bear with me',
      'one moment please/while',
      'a moment while i',
    ],
  },
  {
    weight: 4,
    phrases: [
      'i would like to help/thank/apologize/apologise/offer/inform/remind/confirm/verify',
      'i need/want to verify/confirm/apologize/apologise',
    ],
  },
  { weight: 1, phrases: ['have a great/good/nice/lovely/wonderful', 'enjoy your day/evening/weekend/afternoon'] },
  { weight: 1, phrases: ['i have the', 'so that is', 'you said', 'is that correct'] },
  { weight: 1, phrases: ['sir', 'madam', "ma'am"] },
];

/** What only the one who calls tends to say. */
export const CUSTOMER_CUES: readonly RoleCue[] = [
  { weight: 2, phrases: ['i would like to', 'i was wondering'] },
  { weight: 2, phrases: ['i want/wanted/need/needed', 'i was hoping', 'i am/was trying'] },
  {
    weight: 2,
    phrases: [
      'i am calling/phoning/ringing about/because/to/regarding/for',
      'i am having trouble/problems/an issue',
      'i have a problem/question/issue',
      'it is not working',
    ],
  },
  {
    weight: 2,
    phrases: [
      'i lost/forgot/placed/ordered/bought/received',
      'i have lost/forgotten/placed/ordered/bought/received',
      'i have been waiting/charged',
      'i was charged',
      'i got a/an/the/charged',
      'i have not received',
      'i did not get/receive',
    ],
  },
  {
    weight: 1.5,
    phrases: [
      'my account/card/order/bill/balance/password/appointment/bank/address/internet/package/parcel/refund/money/subscription/phone/number/email',
      'my phone number',
    ],
  },
  {
    weight: 2,
    phrases: ['that is all/everything/it', 'that will be all', 'nothing else', 'no that is', 'no that will be'],
  },
  {
    weight: 2,
    phrases: ['can/could you help/send/tell/check me', 'can/could you please help/transfer/cancel/send/check'],
  },
  { weight: 1, phrases: ['can/could you'] },
  {
    weight: 2,
    phrases: [
      'thank you/thanks for your help',
      'thanks for your help',
      'perfect/great/okay thank you',
      'perfect/great/okay thanks',
      'thank you so/very much',
      'no thank you',
      'no thanks',
      'you too',
      'yes it is/please',
    ],
  },
];
