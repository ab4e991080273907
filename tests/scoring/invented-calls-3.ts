import type { InventedCall } from './invented-calls.ts';

/** The third set, written last. */
export const INVENTED_3: InventedCall[] = [
  {
    name: 'good demo',
    script: `
A: Good morning, thank you for calling Blue River Internet. My name is Laura. How can I help you?
C: Hello. My internet connection keeps dropping every evening.
A: I am sorry to hear that. Does it happen on all of your devices?
C: Yes, on all of them.
A: Thank you. I have restarted your line from here and changed the channel. Your connection is stable now.
C: Oh, it is much faster already. Thank you very much.
A: You are welcome. Is there anything else I can do for you today?
C: No, that is all.
A: Thank you for calling Blue River. Have a wonderful day. Goodbye.`,
    expected: 'pppp pnpp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'rude demo',
    script: `
A: Blue River, what is it?
C: Hello, I have been waiting for my router for two weeks.
A: So what? Everybody is waiting.
C: I paid for express delivery.
A: You should have ordered earlier. Stop wasting my time, you stupid man.
C: I want to talk to your manager.
A: No.`,
    expected: 'fpfp fnff ffpn. fff',
    compliance: 'pp',
  },
  {
    name: 'no greeting',
    script: `
A: Your account number.
C: Um, it is five five one two. I would like to change my email address.
A: What is the new email address?
C: It is mary at example dot com.
A: Mary at example dot com. I have updated it.
C: Thank you.
A: Is there anything else I can help you with?
C: No.
A: Thank you for calling. Goodbye.`,
    expected: 'fffn phpp hppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'compliance',
    script: `
A: Hello, this is Sunrise Bank, my name is Carol. How can I help you today?
C: Hi, I need to confirm my card details for a payment.
A: Sure. Which card are you using?
C: My Visa card.
A: Okay. The full number is four five three two, zero one five one, one two eight three, zero three six six. And the security code is nine one two.
C: Yes, that is correct.
A: Your payment has been processed. Can I help you with anything else?
C: No, thank you.
A: Thank you for calling Sunrise Bank. Have a good day.`,
    expected: 'pppp p.pp pppn. ppp',
    compliance: 'fp',
  },
  {
    name: 'unresolved',
    script: `
A: Hello, thank you for calling City Gas, this is Martin. How may I help you?
C: Hi. My heating stopped working last night.
A: I see. Have you checked the pressure?
C: Yes. It is at zero.
A: I am afraid I cannot fix that from here, and there are no appointments left.
C: So what should I do? I have small children.
A: I really do not know. I am sorry.
C: That does not help me.
A: Is there anything else?
C: No. Goodbye.
A: Thank you for calling. Goodbye.`,
    expected: 'pppp pnff pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'long silence',
    script: `
A: Good afternoon, Harbor Hotel, my name is Diane. How can I help you?
C: I would like to change my booking to two nights.
A: Of course. Under which name is the booking?
C: Under Peterson.
~20
A: I have changed the booking to two nights.
C: Great, thank you.
A: Anything else I can do for you?
C: No, thanks.
A: Thank you. Have a pleasant stay.`,
    expected: 'pppp .npp pppf. ppp',
    compliance: 'pp',
  },
  {
    name: 'callback no owner',
    script: `
A: Hello, Fresh Foods customer service, Eric speaking. How can I help?
C: The milk you delivered was sour.
A: Oh, I apologize. When was it delivered?
C: This morning.
A: I will pass this on to our quality team, and they will contact you within two days.
C: All right, thank you.
A: Thanks for letting us know. Bye.`,
    expected: 'pppp p.hp pppn. fpp',
    compliance: 'pp',
  },
  {
    name: 'transfers money HV style asr',
    script: `
A: hello this is harbor valley national bank my name is linda how can i help you today
C: hi my name is robert jones i would like to transfer money
A: okay how much would you like to transfer
C: sixty eight dollars
A: and which account would you like to transfer from
C: from my checking to my savings
A: okay i have transferred sixty eight dollars from your checking to your savings account
A: is there anything else i can help you with today
C: no thats it thank you
A: thank you for calling have a great day`,
    expected: 'pppp pppp hppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'promises',
    script: `
A: Hi, Prime Invest, this is Todd, how can I help you today?
C: I'm thinking about putting my savings into your fund.
A: Great idea. How much would you invest?
C: Ten thousand dollars.
A: Ten thousand dollars. You can't lose with this one, the profit is guaranteed.
C: Hm, okay. I will think about it. Thanks.
A: Sure. Anything else?
C: No.
A: Thank you, bye.`,
    expected: 'pppp pp.. .ppn. ppp',
    compliance: 'pf',
  },
  {
    name: 'hold announced twice',
    script: `
A: Good morning, Metro Library, Joan speaking. How can I help you?
C: Do you have the new atlas by Simon Garfield?
A: Let me have a look. One moment, please.
~17
A: Thank you for your patience. Yes, we have one copy in the main branch.
C: Wonderful. Could you put it aside for me?
A: Certainly, hold on a second.
~16
A: It is reserved for you until Friday.
C: Thank you so much.
A: You're very welcome. Was there anything else?
C: No, that was it. Bye.
A: Thanks for calling. Goodbye.`,
    expected: 'pppp ..pp pppp. ppp',
    compliance: 'pp',
  },
];
