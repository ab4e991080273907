export const MORE_OFFERS = [
  'anything else',
  'something else i/we can',
  'any thing else',
  'any other questions/question/queries/concerns/issues/problems',
  'any more questions/queries',
  'any further questions/queries/help',
  'any additional questions/help',
  'anything further',
  'anything more',
  'anything other',
  'what else can/may/could i/we',
  'else i can/could help/do/assist',
  'help you with anything more',
  'further assistance',
  'have any questions',
  'is that everything',
  'is that all for',
  'will that be all',
  'would that be all',
  'was there anything',
];
/** "There is nothing else I can do": no offer. */
export const NOT_MORE_OFFERS = [
  'nothing else',
  'not * anything else',
  'can not do anything else/more/further',
  'without anything else',
  'no further assistance',
  'or anything else',
  'before anything else',
  'like anything else',
];

export const THANKS = [
  'thank you',
  'thanks',
  'many thanks',
  'we/i appreciate',
  'much appreciated',
  'cheers',
  'grateful',
  'for calling/choosing/ringing',
  'you for holding/waiting',
];
export const NOT_THANKS = [
  'no thank you',
  'no thanks',
  'thanks to',
  'thank you to',
  'thanks for nothing',
  'reason/sorry for calling',
  'are you for calling',
  'charge/charged/charges for calling',
  'number for calling',
];

const DAYS =
  'day/one/evening/weekend/week/night/afternoon/morning/time/trip/flight/holiday/vacation/stay/christmas/easter/new/rest/journey/birthday/drive/date/bay/they/dead/today/dave';
/** Good wishes: a farewell, and polite. */
export const WISHES = [
  `have a/an/yourself great/good/nice/lovely/wonderful/pleasant/fantastic/blessed/safe/super/brilliant/excellent/amazing ${DAYS}`,
  'have a great/good/nice/lovely/wonderful',
  'a great/nice/lovely/wonderful day/evening/weekend/night',
  `other great ${DAYS}`,
  'enjoy your/the rest/day/evening/weekend/trip/holiday/flight/stay/new',
  'take care',
  'all the best',
  'best of luck',
  'good luck',
  'good night',
  'see you',
  'speak/talk to you soon/later/then/tomorrow/again',
  'safe travels/trip/journey/drive/flight',
  'you too',
  'same to you',
  'you as well',
  'get well soon',
  'stay safe/well/warm',
  'happy holidays/christmas/birthday/new/travels',
  'i hope you feel better',
  'hope you have',
  'wish you',
  'until next time',
];
export const FAREWELLS = ['bye', 'good bye/by/buy', 'by by', 'bye bye', ...WISHES];
export const NOT_FAREWELLS = [
  'have a good look/idea/chance/record/reason/think/read',
  'good luck with that',
  'have a great/good deal/offer/rate',
  'see you have/had/are/in/on/were/did/there/made/paid',
];

/** By these the customer shows that the call is over for them. */
export const CUSTOMER_ENDS = [
  'bye',
  'good bye/by/buy',
  'that is/was/will be all/everything/it i need/needed/wanted',
  'that is/was/will be all/everything',
  'everything i need/needed/wanted',
  'all i need/needed/wanted',
  'i have to/got/must go',
  'i am done',
  'i am hanging up',
  'never mind',
  'forget it',
  'i will call back',
  'i will call/ring/phone you back',
  'have a good/great/nice/lovely day/one/evening/weekend/night',
  'you have a good/great/nice/lovely day/one/evening/weekend/night',
  'take care',
  'talk/speak to you later/soon',
  'i will go/take my elsewhere',
  'i have had enough',
  'this is going nowhere',
];
