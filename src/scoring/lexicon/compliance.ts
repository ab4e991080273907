export const CARD_CONTEXT = [
  'card number',
  'number on the/your card',
  'card',
  'visa',
  'mastercard',
  'amex',
  'american express',
  'debit',
  'credit card',
  'long number',
];
export const OTHER_NUMBER_CONTEXT = [
  'order',
  'tracking',
  'reference',
  'confirmation',
  'booking',
  'imei',
  'serial',
  'iban',
  'parcel',
  'ticket',
  'invoice',
  'meter',
  'case number',
];

/** After these an agent who speaks figures reads out a card number, however the figures were heard. */
export const CARD_NUMBER_LEADS = [
  'card number',
  'cards number',
  'number of/on/from the/your card',
  'long number',
  'sixteen digit number',
  'credit/debit/visa/mastercard/amex number',
  'your/the/this/that card is/reads/starts/ends/ending',
  'credit/debit/visa/payment/bank card is/reads/starts/ends/ending',
];
/** The agent's questions after which the figures that come back are the card's. */
export const CARD_NUMBER_QUESTIONS = ['card number', 'number of/on/from the/your card', 'long number', 'card details'];
/** Other things whose number may follow. */
export const OTHER_NUMBERED = new Set(
  `phone telephone mobile cell landline fax order account sort reference confirmation booking tracking parcel ticket
  invoice meter case serial imei iban routing policy claim membership loyalty customer amount balance date birth postcode
  zip extension code expires expiry valid total charge charged payment`.split(/\s+/u),
);
export const OTHER_CARDS = new Set(
  'loyalty gift library membership member club reward rewards points sim insurance health report phone calling bonus'.split(
    ' ',
  ),
);
/** What is counted is no part of a number. */
export const UNITS_AFTER = new Set(
  `dollars dollar pounds pound euros euro cents percent minutes hours days weeks months years am pm january february
  march april may june july august september october november december times`.split(/\s+/u),
);

/** Codes of a payment card: even two figures of them must not be heard. */
export const CARD_CODE_LEADS = [
  'security code',
  'security number',
  'cvv',
  'cvc',
  'c v v',
  'c v c',
  'digits/number/code/figures on the back',
];
/** Stands right before a code that is said. */
export const SAYING_LINKS = ['is', 'was', 'reads', 'as', 'of', 'is it', 'is then'];

export const CODE_LEADS = [
  'security code',
  'verification code',
  'one time code/passcode/password',
  'access code',
  'passcode',
  'cvv',
  'cvc',
  'c v v',
  'c v c',
  'pin',
  'pin number/code',
  'digits on the back',
  'code on the back',
];

/** With these beside it a code is none of the customer's. */
export const NOT_OWN_CODES = [
  'of our office/shop/branch/area/city/town',
  'postal',
  'post code',
  'zip',
  'voucher',
  'discount',
  'promo',
  'door',
  'gate',
  'wifi',
  'plug/socket/connector',
  'belegung',
];

export const ID_LEADS = [
  'social security',
  'social security number',
  'your social',
  'ssn',
  's s n',
  'national insurance',
  'national insurance number',
  'national id',
  'id number',
  'identity number',
  'identification number',
  'passport number',
  'tax id/number',
  'driver/drivers/driving license/licence number',
  'social insurance number',
];

export const PASSWORD_LEADS = [
  'password is',
  'password would be',
  'password was',
  'password will be',
  'passphrase is',
  'password set to',
  'password to',
  'passcode is',
  'password reads',
  'with the memorable word',
  'memorable word/name is',
  'code word is',
  'kennwort * ist/lautet',
  'passwort * ist/lautet',
  'contraseña * es',
  'clave * sale * es',
];

/** After "your password is" these say something about it; anything else is the password itself. */
export const NOT_PASSWORDS: ReadonlySet<string> = new Set(
  `a an the not no in on at to for of by with from being been be now still then already also only just really very too so
  reset expired incorrect correct wrong right invalid valid weak strong good bad fine okay safe secure unsafe case
  sensitive locked blocked unlocked required needed necessary optional missing empty blank different same new old
  changed sent updated set stored saved encrypted hidden private personal confidential important ready accepted
  rejected used longer shorter too at least between something anything what that this there where when who how why
  your you i we they it he she if because as about going working not kept never always up out here fully completely
  temporary generated automatically entered typed correctly something minimum eight`.split(/\s+/u),
);

export const GUARANTEES = [
  'i/we guarantee',
  'i/we can guarantee',
  'i/we absolutely guarantee',
  'i/we personally guarantee',
  'guaranteed to',
  'is/are guaranteed',
  'you are guaranteed',
  'guaranteed approval/return/returns/profit/profits/win/results/refund/to',
  'a guaranteed',
  'hundred percent guaranteed/certain/guarantee',
  '100 percent guaranteed/guarantee',
  'i/we promise you will/the/it/they/your/that/this',
  'i/we promise that you/the/it/they/your',
  'i/we promise your/the/it/they/nothing/there',
  'i can promise you/that/your/the/it',
  'you will definitely get/win/receive/be/make/have/qualify',
  'will definitely be approved/accepted/refunded',
  'you can not lose',
  'risk free',
  'there is no risk',
  'no risk at all',
  'double your money',
  'nothing can go wrong',
  'i give you my word',
];
export const NOT_GUARANTEES = [
  'not guarantee',
  'not * guarantee',
  'no guarantee/guarantees',
  'guarantee i/we will call/ring/email/do/try/look/send/check/pass',
  'promise i/we will call/ring/email/do/try/look/send/check/pass',
  'promise you i will',
  'not promise',
  'not guaranteed',
  'money back guarantee',
  'under guarantee',
  'guarantee period/certificate/card/covers',
  'not risk free',
  'year/years/months guarantee',
  'guarantee delivery/the price/covers/period/is',
  'garantiere ihnen dass ich sie/es/mich',
  'garantiere ihnen dass wir uns',
  'le garantizo que le/lo/la llamo/llamaré/llamaremos/aviso',
  'se lo garantiza la',
  'гарантирую что перезвоню/позвоню/отправлю/проверю/мы',
];

export const PRESSURE_THREATS = [
  'legal action',
  'take you to court',
  'see you in court',
  'drag you to/into court',
  'will sue you',
  'have you arrested',
  'get you arrested',
  'will be arrested',
  'go to jail/prison',
  'police will',
  'call the police',
  'send the police',
  'send bailiffs',
  'send the bailiffs',
  'debt collectors',
  'collection agency',
  'ruin/destroy/wreck/damage your credit/rating/score/reputation/life',
  'will hurt your credit',
  'pay now or',
  'pay today or',
  'pay up or',
  'pay right now or',
  'or else',
  'you will regret',
  'you will be sorry',
  'there will be consequences',
  'face the consequences',
  'facing consequences',
  'lose your house/home/job/car',
  'take your house/home/car',
  'if you do not pay/sign/agree/decide * we will/i will',
  'we will cut you off',
  'make your life',
  'know where you live',
  'last warning',
  'make sure you never',
  'never get service/credit/a loan again',
];
export const NOT_THREATS = [
  'not call the police',
  'no legal action',
  'not take/taking legal action',
  'without legal action',
  'not damage/hurt/affect your credit',
  'will not hurt',
  'will not damage',
  'or else i/we can',
];

export const SECRECY = [
  'keep this/it/that/our between us/you/ourselves',
  'stays between us/you',
  'stay between us/you',
  'between you and me',
  'just between us',
  'keep this/it/that/the call/conversation secret/quiet/private/confidential',
  'keep this/it/that/the * a secret',
  'keep it/this/that to yourself',
  'our little secret',
  'off the record',
  'do not tell anyone/anybody/my/your/the/them/him/her',
  'do not mention this/it/that/our to',
  'do not mention this/it/our',
  'do not say anything to/about',
  'do not discuss this/it',
  'do not let anyone/anybody/my/your know',
  'nobody/no one needs/has to know',
  'you did not hear this/that/it from me',
  'this call never happened',
];
export const NOT_SECRECY = [
  'tell anyone/anybody your pin/password/code/details/number',
  'tell anyone/anybody the/that pin/password/code/details/number',
  'keep your pin/password/code',
  'keep it to yourself the pin/code',
  'do not tell the system',
  'your pin/password/code between',
  'keep your information/details/data',
];
export const SECRETS_OF_OWN = new Set(
  `pin password passcode code cvv details number passwort kennwort geheimzahl tan clave contrasena codigo пин пинкод код
  пароль`.split(/\s+/u),
);
