export const GREETINGS = [
  'hello',
  'hi',
  'hey',
  'hiya',
  'howdy',
  'greetings',
  'good morning/afternoon/evening/day',
  'morning',
  'thank you for calling/contacting/phoning/ringing',
  'thanks for calling/contacting/phoning/ringing',
  'you for calling/contacting/phoning/ringing',
  // What recognisers make of "hello this is" on a telephone line.
  'helen the/this/if/it/of',
  'hell of/oh/o this',
  'welcome to',
  'you have reached',
  'you are through to',
];

export const OFFERS = [
  'how can/may/could/might i/we help/assist/serve',
  'how can/may/could i/we be of help/assistance/service',
  'can/may/could i/we help you today',
  'can/may/could i/we help/assist you',
  'how can i help you',
  'what can/may i/we do for you',
  'what can/may i/we help you with',
  'how may/can/could/should i direct your call',
  'what do you need',
  'what is it you need/want',
  'what was it you need/needed',
  'what do you want',
  'what would you like',
  'what are you calling about/for/regarding',
  'what is your call/question/query/enquiry about',
  'what is the reason for your call',
  'reason for your/the call',
  'nature of your/the call',
  'what can/may i/we assist',
  'what brings you',
  'what is the problem/issue/matter/trouble',
  'what seems to be',
  'what is going on',
  'what is wrong',
  'what is it',
  'what can i get/bring you',
  'help/assist you today',
  'i/we help you today',
  'tell me how i can help',
  'tell me what you need',
  'how can i be helpful',
  'how is it i can help',
  'what is your question/query/enquiry/request/issue/problem',
];

/** What shows that the recording begins at the beginning, whoever says it. */
export const OPENING_CUES = [
  ...GREETINGS,
  ...OFFERS,
  'my name is',
  'i am calling/ringing/phoning',
  'this is * speaking',
  'who am i speaking to/with',
  'is this the',
  'can i speak to/with',
];

/** A first sentence that begins like this goes on from something that is not in the recording. */
export const CONTINUATIONS = new Set('and but so because anyway then or also plus'.split(' '));
export const CONTINUATION_PHRASES = [
  'as i was saying',
  'as i said',
  'like i said',
  'going back to',
  'where were we',
  'okay so',
];
