import type { Phrasebook } from '../phrasebook.ts';

/** What belongs to support calls, and asking who is speaking. */
export const helping = {
  steps: [
    'please try/open/click/press/restart/go/check/unplug/switch/turn/select/type/enter',
    'could/can/would you try/open/click/press/restart/go/check/unplug/switch/turn/select/type/enter',
    'could/can/would you please try/open/click/press/restart/go/check/unplug/switch/turn/select/type/enter',
    'let us try/restart/check/start/see/go/do/begin',
    'the next step is',
    'first please',
    'now click/press/open/select/go/try',
    'i will walk/guide/take you through',
    'i am going to reset/restart/test/run/check/refresh',
  ],
  checks: [
    'does it/that/everything work/load/connect now/again/properly/for',
    'is it/that/everything working/loading/connected/okay/fine now/again/properly/for',
    'can you see/access/log/open/connect it/that/in/now/again',
    'can you try/test it/that/again/now',
    'did that/it work/help/fix/solve',
    'has that/it fixed/solved/resolved/helped',
    'does that fix/solve/resolve/answer',
    'is the problem/issue fixed/solved/resolved/gone',
    'what do you see now',
  ],
  tickets: [
    'ticket/case/reference number is',
    'your ticket/case/reference/incident is',
    'i have opened/raised/created/logged a/the/your ticket/case/incident',
    'ticket/case/reference number for/will',
    'you will get/receive a/an/the ticket/case/reference/confirmation/email',
    'quote the/this/that number/reference',
  ],
  identityChecks: [
    'am i speaking to/with',
    'is this * speaking',
    'confirm your/the name/date/address/postcode/birth/identity/first/last',
    'can/could/may i have/take your name/date/address/postcode/birth/first/full',
    'for security/verification/data',
    'before i/we go on/continue/discuss',
    'your date of birth',
    'verify your/that/who',
    'last four digits',
    'first line of your address',
  ],
} satisfies Partial<Phrasebook>;
