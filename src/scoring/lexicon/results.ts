const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** Past forms that finish a service: "has been sent", "I've booked". */
export const DONE_VERBS = words(
  `sent emailed mailed posted texted booked rebooked scheduled rescheduled arranged reserved cancelled canceled updated
  changed amended processed refunded reimbursed credited ordered reordered replaced reset activated reactivated
  deactivated enabled disabled removed deleted added resolved fixed sorted corrected transferred moved paid applied
  unlocked unblocked blocked frozen stopped closed opened completed confirmed approved renewed registered enrolled
  upgraded downgraded waived reversed issued reissued extended restored repaired installed linked switched adjusted
  created placed dispatched shipped reconnected connected disconnected cleared deposited printed made filled prepared
  delivered unsubscribed subscribed signed saved released lifted redirected rerouted redelivered reinstated recorded
  rectified settled exchanged merged assigned submitted restarted rebooted reconfigured reprogrammed resynced resent rebuilt
  rewritten undone withdrawn unlocked`,
);

/** What an agent does on the way: no result. */
export const NO_DEEDS = words(
  `checked looked noted noticed asked explained mentioned listened searched tried called talked waited worked received
  needed wanted reviewed viewed reached contacted informed discussed requested missed failed expected promised offered
  suggested recommended apologized apologised helped answered repeated opened loaded pulled typed entered verified
  considered wondered heard escalated logged raised forwarded passed referred flagged reported filed charged billed`,
);
export const OBJECTS = words('your the it that this these those a an you them both all everything');
/** In the present these tell of a trouble: "your card is blocked". */
export const TROUBLES = words('blocked disabled deactivated disconnected locked');

/** Never taken for a misheard verb: these tell of the trouble, not of its end. */
export const BAD_NEWS = words('charged locked delayed lost declined stolen hacked missed denied rejected broken');

/** Past forms that only move a matter on, and what they move on. */
export const PASSED_ON_VERBS = words(
  'escalated raised logged forwarded passed referred flagged requested reported filed',
);
export const PASSED_ON_OBJECTS = words(
  'ticket case callback investigation complaint engineer technician request team department manager supervisor colleague enquiry note',
);
/** "I transferred you": a person, not money. */
export const PERSON_OBJECTS = words('you him her them me us');

/** Words that may stand between the auxiliary and the verb: "has now been", "is all", "have got you". */
export const LINKERS = words(
  'just now also already successfully been all fully officially got gone ahead and it that you this then again ever actually finally',
);
export const AUXILIARIES = words('have has had is are was were am');
export const MODALS = words('will would could should may might must can shall be being to');
export const CONDITIONS = words(
  'if when once until till unless before whether after wondering wenn falls sobald cuando если когда',
);
export const NOTHING = words('no nothing none nobody neither not never without');
/** Before a result these make it a hope, a test or a demand. */
export const UNCERTAIN = words(
  'hope hopefully should will would could might may see check sure confirm try whether wait',
);
export const REPORTING = words('said say says claim claims thought think');

/** Nouns that a recogniser leaves beside a verb whose auxiliary it lost: "appointment … scheduled for". */
export const SERVICE_NOUNS = words(
  'appointment link card refund order payment booking reservation password address subscription account credit',
);

export const DONE_PHRASES = [
  'you/it/that/everything/this is/are all set',
  'is/are all set/done/sorted',
  'you are all set',
  'you are booked/set/registered/enrolled/covered in/for/now/up',
  'you are good to go',
  'that is/has been all/now done/sorted/fixed/sent/gone/taken',
  'that is done/sorted/fixed/booked',
  'it is/has all/been done/sorted/fixed/gone through',
  'all done',
  'all sorted',
  'all taken care of',
  'been taken care of',
  'is/are on its/their/the way',
  'is now working/active/available/live/open/up/back/fixed/on/off',
  'is back up',
  'is/are working/active/live/online/available/on/up/open/fixed/confirmed/done again/now',
  'is/are working fine/properly/perfectly/normally/correctly/as it should',
  'works/work/runs again/now/fine/properly/perfectly/normally/correctly',
  'is/are back on/online/up/working/active/normal/live/now',
  'is/are back to normal/work',
  'is/are back in service/use/order',
  'service/connection/line/internet/power/account/website/system/signal/network/everything is back',
  'i/we have done that/this/it/so',
  'i/we have got it/that/you/your * working',
  'is up and running',
  'should be working/fixed/back now',
  'that should do it/fix',
  'it/payment/that went through',
  'payment has gone through',
  'got you down for',
  'i have got you in for',
  'i have put that/it/you/the * through',
  'i have taken * off',
  'i have set * up',
  'i have set up',
  'has been set up',
  'is set up now',
  'i have put * on your account',
  'i have put you down for',
  'the charge is gone',
  'you should see it/that/the now',
  'you should have it now',
  'i have turned * on/off',
  'i have given you',
];

/** Gives what was asked: only counted where the customer asked for information. */
export const INFORMATION_PHRASES = [
  'your * is/are/was/will/has/comes/expires/ends/shows',
  'the * is/are/was/were/takes/costs/comes/will',
  'your balances/totals/bills/orders/payments/fees/appointments/flights/claims/refunds/accounts',
  'you have',
  'you owe',
  'it is/was/takes/costs/comes/will',
  'that is/was/will/comes/costs/takes',
  'they are/will/take',
  'we are open/closed/located',
  'we open/close/deliver/ship/accept/offer/charge/do',
  'this is/was because',
  'because',
  'the reason is/was',
  'yes you can/do/are/will/should/need',
  'yes it is/does/will/can',
  'yes we do/are/can/have/offer/deliver/accept/ship',
  'yes there is/are',
  'no you do/can/will/are not',
  'no it is/does/will not',
  'no we do/are/can not',
  'you can find/use/do/pay/track/see/get/also/go/return/bring',
  'there is/are',
  'to do that you',
  'just click/press/go/select/open/tap',
  'it shows/says',
];

export const NO_INFORMATION = [
  'i do not know',
  'i am not sure',
  'no idea',
  'i can not tell/say/see/find/access',
  'let me check/see/look/pull',
  'can not give',
  'do not have that/the information',
  'not able to',
  'unable to',
  'for your security',
  'is that correct/right/okay',
  'it is policy/not',
  'that is not',
];

const OWNERS =
  'i/we/they/he/she/someone/somebody/team/teams/engineers/technicians/managers/colleagues/specialists/advisers/doctors/engineer/technician/manager/supervisor/colleague/specialist/department/agent/driver/office/doctor/nurse/adviser/advisor/courier/it/you';
const STEPS =
  'call/ring/phone/contact/email/send/text/post/mail/come/visit/review/investigate/process/refund/credit/arrange/book/raise/escalate/transfer/pass/forward/order/cancel/update/follow/chase/ship/dispatch/deliver/pay/receive/hear/get/replace/reach/issue/schedule/collect/connect/resend/log/submit/request/speak/notify/return';

/** A recogniser easily loses the two letters of "I'll". */
export const BARE_PROMISE = 'i/we call/ring/phone you back';

export const NEXT_STEP_PHRASES = [
  `${OWNERS} will ${STEPS}`,
  `${OWNERS} will be sent/contacted/refunded/processed/credited/called/emailed/in/notified/delivered`,
  `${OWNERS} will look into`,
  `${OWNERS} will be calling/ringing/phoning/contacting/emailing/sending/processing/arranging`,
  `${OWNERS} will/can give you a call/ring`,
  `i/we shall ${STEPS}`,
  BARE_PROMISE,
  'let me call/ring/phone you back',
  'you can expect a call',
  `${OWNERS} is/am/are going to ${STEPS}`,
  'will be sent/contacted/refunded/processed/credited/emailed/delivered/issued/posted/with you in/within/by',
  'i am transferring/putting/passing/sending/escalating/forwarding/raising/opening/arranging/booking',
  'we are sending/arranging/investigating/looking/processing/working',
  'let me transfer/put/pass/connect you',
  'i will get * to',
  'i will have * call/contact/email/look',
  'i will make sure * gets/calls/contacts',
  'i will put * through',
  'you will need/have to',
  'you need to go/visit/send/bring/contact/speak/upload/fill/complete',
  'please go/visit/send/bring/upload/fill/complete/contact',
  'is being sent/processed/reviewed/investigated/refunded/prepared/shipped',
];

/** Brush-offs that look like a next step. */
export const NOT_STEPS = [
  'will have to call back',
  'will need to call back',
  'will have to wait',
  'will just have to',
  'you will have to deal/live',
  'i will pass on',
  'will get nothing',
  'you will get what',
  'i will get that for you now',
];
