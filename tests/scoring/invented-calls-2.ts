import type { InventedCall } from './invented-calls.ts';

/** The second set: written after the rules, in other words and other trades, and again judged before they were run. */
export const INVENTED_2: InventedCall[] = [
  {
    name: 'pharmacy: refill ready, pickup time',
    script: `
      A: Corner Pharmacy, this is Beth. What can I help you with?
      C: Yeah hi, I'm out of my blood pressure pills and wanted a refill.
      A: No worries. Do you have the prescription number handy?
      C: It's 7730218.
      A: 7730218, got it. Okay, I've put the refill through, it'll be ready by four o'clock.
      C: Awesome, appreciate it.
      A: Anything else I can do for you today?
      C: Nope, that's it.
      A: Thanks so much, have a good one!`,
    expected: 'fppp pppp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'hotel: overbooked, agent apologises, supervisor to call, customer unhappy',
    script: `
      A: Good evening and welcome to the Grand Meridian. My name's Luca. How may I be of service?
      C: You cancelled my reservation without telling me!
      A: I'm terribly sorry. Could you tell me the dates of your stay?
      C: The fourth of July to the ninth of July.
      A: The fourth to the ninth of July. I'm afraid we're fully booked. Our duty manager will phone you tomorrow morning with an alternative.
      C: That's simply not acceptable. I'm never staying with you again.
      A: I do apologise. Thank you for letting us know. Good night.`,
    expected: 'pppp pphf pppn. .pp',
    compliance: 'pp',
  },
  {
    name: 'bank: recogniser text, bill payment with every detail read back',
    script: `
      A: hello this is harper valley national bank my name is susan how can i help you today
      C: hi my name is karen lee i would like to pay a bill
      A: sure who would you like to pay
      C: river electric
      A: and how much is the bill
      C: it is eighty seven dollars
      A: okay so eighty seven dollars to river electric i have paid that for you is there anything else i can help with
      C: no thats all i needed thank you
      A: thank you for calling and have a great day`,
    expected: 'pppp pppp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'bank: appointment with the wrong day booked, never read back',
    script: `
      A: hello this is harper valley national bank my name is michael how can i help you today
      C: i would like to schedule an appointment for tuesday at two p m
      A: okay
      A: your appointment is all set
      A: is there anything else i can help you with today
      C: no that will be all
      A: thank you for calling have a great day`,
    expected: 'pppp nfpp hppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'airline: baggage, ticket opened, reference given',
    script: `
      A: Thanks for calling Polar Airways. You're talking to Stefan. What's the nature of your call?
      C: My suitcase never showed up in Oslo.
      A: Oh no, I'm sorry about that. What's the tag number on your baggage receipt?
      C: P R four four one two seven.
      A: Four four one two seven, thanks. I've opened a tracing case, and the baggage team is going to text you within twenty four hours.
      C: Alright, thank you.
      A: Is there something else I can assist with?
      C: Not right now.
      A: Thank you for flying with Polar. Goodbye.`,
    expected: 'pppp pphp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'internet: angry agent threatens to cut off',
    script: `
      A: Metro Cable, Gary.
      C: Hi Gary, I want to dispute last month's bill.
      A: Everybody does. Pay it or I'll make sure you never get service again.
      C: Are you threatening me?
      A: Take it as you like.
      C: Unbelievable. Goodbye.`,
    expected: 'fppn fnff ffpn. nnn',
    compliance: 'pf',
  },
  {
    name: 'software: password stated by the customer only, agent warns',
    script: `
      A: Hello, Orbit Software help desk, Wendy speaking. How can I help you?
      C: My account is locked. My password is tiger five five.
      A: Please never share your password with anyone. Is that the account under your work email?
      C: Yes.
      A: I've unlocked it, and I have sent a reset link to you.
      C: Super, got it. Thanks.
      A: Great. Any other questions?
      C: No.
      A: Thank you for calling Orbit. Bye for now.`,
    expected: 'pppp p.pp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'insurance: guarantee of payout',
    script: `
      A: Good day, Shield Mutual, Farah here, how can I assist?
      C: I'd like to know if my roof damage is covered.
      A: May I ask what caused the damage?
      C: The storm last week.
      A: Don't worry, I promise you the claim will be paid in full, one hundred percent guaranteed.
      C: Oh, wonderful.
      A: Is there anything more I can do?
      C: No, thanks.
      A: Thank you for calling. All the best.`,
    expected: 'pppp pn.p pppn. ppp',
    compliance: 'pf',
  },
  {
    name: 'retail: secrecy',
    script: `
      A: Hi there, thanks for calling Vista Electronics, this is Ron. How can I help?
      C: I'd like to return headphones but the thirty days are over.
      A: Have you got the receipt?
      C: Yes I do.
      A: I have processed the refund anyway. This has to stay between us, okay? Don't mention it to the store.
      C: Sure. Thanks.
      A: Anything else?
      C: No.
      A: Thanks a lot, bye.`,
    expected: 'pppp p.pp .ppn. ppp',
    compliance: 'pf',
  },
  {
    name: 'utility: agent never says who or where, no name, no offer',
    script: `
      A: Hello.
      C: Hello, is this the water company? There's no water in my house since this morning.
      A: Your street?
      C: Elm Road, number nine.
      A: Elm Road nine. There is a burst pipe. It'll be fixed by six.
      C: Okay thank you.
      A: Bye.`,
    expected: 'pffn pp.p fppn. ffp',
    compliance: 'pp',
  },
  {
    name: 'telecom: mid-call, unresolved, hang up',
    script: `
      C: so like I said the third technician didn't come either
      A: I see that here
      C: and nobody called me
      A: I cannot book another one today
      C: forget it I'm cancelling everything`,
    expected: 'nnnn f.ff .ppn. nnn',
    compliance: 'pp',
  },
  {
    name: 'bank: silence announced by the customer',
    script: `
      A: Good morning, First Coast Bank, my name is Ellen, how can I help you?
      C: I'd like to activate my new card.
      A: Certainly. Could you read me the last four digits please?
      C: Hang on, let me get my purse.
      ~30
      C: Okay, it's 8 8 1 2.
      A: 8812, thank you. Your card has been activated.
      C: Great, thanks.
      A: Is there anything else?
      C: No thank you.
      A: Thank you for calling First Coast. Have a nice day.`,
    expected: 'pppp ..pp pppp. ppp',
    compliance: 'pp',
  },
  {
    name: 'two silences, only one announced',
    script: `
      A: Hello, Budget Rentals, Sam speaking, how can I help?
      C: I need to extend my car rental until Sunday.
      A: Until Sunday, okay. I'll just pull up your contract, give me a minute.
      ~19
      A: Found it.
      ~21
      A: It's been extended until Sunday.
      C: Brilliant, cheers.
      A: Anything else?
      C: No, that's great.
      A: Thanks for calling, safe travels.`,
    expected: 'pppp pppp .pph. ppp',
    compliance: 'pp',
  },
  {
    name: 'reads the card out grouped, spoken in pairs',
    script: `
      A: Thank you for calling Sunset Tours, this is Olga, how can I help you?
      C: I want to pay the rest of my trip.
      A: Of course. Is it the trip to Peru?
      C: Yes.
      A: I still have your card here. Fifty five hundred zero zero zero zero, zero zero zero zero, zero zero zero four.
      C: That's the one.
      A: The payment went through.
      C: Lovely.
      A: Can I help you with anything else?
      C: No, thank you.
      A: Thank you, have a fantastic trip.`,
    expected: 'pppp p.pp pppn. ppp',
    compliance: 'fp',
  },
  {
    name: 'long order number that is no card; agent repeats it',
    script: `
      A: Welcome to ShoeBox, Vera speaking, how can I help you today?
      C: Can you tell me where my order is? It's 4111 1111 1111 1111, that's the order number.
      A: Thank you. Order number 4111 1111 1111 1111. It's in transit and will be delivered on Friday.
      C: Perfect.
      A: Is there anything else I can do for you?
      C: No.
      A: Thanks for shopping with us. Bye.`,
    expected: 'pppp .ppp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'customer thanks and then objects',
    script: `
      A: Hello, Jade Cosmetics, Pat speaking. How can I help?
      C: I got the wrong lipstick.
      A: Sorry about that. Which one did you order?
      C: The red one.
      A: I've sent out the red one today.
      C: Thanks. Wait, it says on my account that you charged me again. That's wrong.
      A: It's a system thing.
      C: I don't accept that.
      A: Okay. Thank you, bye.`,
    expected: 'pppp p.pf pppn. fpp',
    compliance: 'pp',
  },
  {
    name: 'courteous throughout but the last words are missing',
    script: `
      A: Good afternoon, Evergreen Dental, Nora speaking, how may I help you?
      C: I'd like to cancel my appointment on Wednesday.
      A: Of course, may I ask your name please?
      C: Tim Burns.
      A: Thank you, Mr Burns. Your appointment on Wednesday has been cancelled.
      C: Thank you very much.`,
    expected: 'pppp .ppp pppn. fpf',
    compliance: 'pp',
  },
  {
    name: 'condescending agent',
    script: `
      A: Hello, PrintShop, this is Rick, how can I help you?
      C: I can't find the download button.
      A: Are you blind? It's right there. Use your eyes.
      C: There's no need to be rude. I see it now.
      A: Finally. Anything else?
      C: No.
      A: Thanks for calling, goodbye.`,
    expected: 'pppp .n.p .fpn. ppp',
    compliance: 'pp',
  },
  {
    name: 'agent swears at the system, not the customer',
    script: `
      A: Hi, Harbor Gym, Zoe speaking, what can I do for you?
      C: I'd like to freeze my membership for two months.
      A: Sure, let me do that. Starting from which month?
      C: From May.
      A: Oh for fuck's sake, this stupid computer. Sorry. Okay, your membership is frozen from May.
      C: Okay, thanks.
      A: Anything else I can do?
      C: No.
      A: Thank you. Take care.`,
    expected: 'pppp p.pp pfpn. ppp',
    compliance: 'pp',
  },
  {
    name: 'IVR and then agent, notice',
    script: `
      I: Welcome to Alpine Credit. This call may be recorded for training purposes.
      A: Alpine Credit, good morning, Heidi speaking, how can I help you?
      C: Could you tell me the payoff amount for my loan?
      A: With pleasure. Is that the car loan?
      C: Yes.
      A: The payoff amount is four thousand two hundred dollars.
      C: Thank you so much.
      A: You're welcome. Is there anything else you need?
      C: No, that was everything.
      A: Thank you for your call, goodbye.`,
    expected: 'pppp pnpp pppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'one-word turns',
    script: `
      A: Hello, Tax Office, Joan speaking, how can I help?
      C: Refund.
      A: Do you mean the status of your refund?
      C: Yes.
      A: It has been approved.
      C: Good.
      A: Anything else?
      C: No.
      A: Thank you, bye.`,
    expected: 'pppp pnpp hppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'agent will do it, customer content, promise with owner',
    script: `
      A: Good morning, Valley Heating, Phil speaking. How can I help you today?
      C: Our boiler is making strange noises.
      A: I see. How long has it been doing that?
      C: Since Monday.
      A: Right, a technician will come out to you on Friday between nine and eleven.
      C: That works for me, thank you.
      A: Lovely. Is there anything else?
      C: No, you've been very helpful.
      A: Thank you for calling Valley Heating, bye bye.`,
    expected: 'pppp p.hp hppn. ppp',
    compliance: 'pp',
  },
  {
    name: 'refusal of information',
    script: `
      A: Hello, CityBank card services, Uma speaking, how can I help?
      C: What's my PIN?
      A: I'm sorry, I can't tell you that.
      C: Then how do I get cash?
      A: I don't know.
      C: You're no help at all.
      A: Sorry. Thank you for calling, goodbye.`,
    expected: 'pppp fnff pppn. .pp',
    compliance: 'pp',
  },
  {
    name: 'British closing, dispatch and address confirmed',
    script: `
      A: Hiya, you're through to Brook Books, Fiona speaking. What can I do for you?
      C: I'd like my parcel sent to seventeen Mill Lane instead, please.
      A: Seventeen Mill Lane, is that in Leeds?
      C: It is, yes.
      A: Right you are, I've changed that for you.
      C: Ta, that's brilliant.
      A: Was there anything else?
      C: No, that's me done.
      A: Cheers for ringing. Ta-ra, bye now.`,
    expected: 'pppp pppp .ppn. ppp',
    compliance: 'pp',
  },
];
