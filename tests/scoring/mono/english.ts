/** Calls to small businesses in English, one line for each utterance; `A` is the agent. */
export const english: readonly string[] = [
  `A: Miller's Garage, Pete speaking.
  C: Hi Pete, it's Linda Graham. I dropped off the blue Corsa on Monday.
  A: Oh yes, hello Linda.
  C: I was just wondering if it's ready yet.
  A: Not quite. The brakes are done, but we found that one of the springs is broken.
  C: Oh no. Is that expensive?
  A: The part is about sixty pounds and it takes an hour to fit.
  C: Right. So how much altogether?
  A: Two hundred and forty with the VAT. Shall I go ahead with it?
  C: Yes, go on then. When can I pick it up?
  A: Should be done by four tomorrow. I'll give you a ring.
  C: You've got my mobile, haven't you?
  A: Ending in 771?
  C: That's the one.
  A: Lovely. See you tomorrow.
  C: Thanks, bye.`,
  `A: Good afternoon, Harbour View Hotel, reservations.
  C: Good afternoon. Do you have a double room for the weekend of the twelfth?
  A: The twelfth of June? Let me have a look.
  A: Yes, we do. Two nights?
  C: Three actually, Friday to Monday.
  A: We have a sea view for one hundred and thirty a night or a courtyard room for ninety five.
  C: Does that include breakfast?
  A: Breakfast is included in both.
  C: Then we'll take the sea view.
  A: What name is it, please?
  C: Okafor. O, K, A, F, O, R.
  A: And a card to hold the room?
  C: Can I pay when we arrive?
  A: We need a card for the booking, but nothing is charged until you check out.
  C: Okay, one second, I have to find it.
  A: Take your time.
  C: Here we go. Do you need the long number?
  A: Please.
  C: Four five three nine, one one one one, two two two two, three three three three.
  A: Thank you, Mr Okafor. You'll get an email with the confirmation in a few minutes.
  C: Great. And is there parking?
  A: There's a car park behind the building, it's free for guests.
  C: Perfect. Bye now.
  A: Goodbye.`,
  `C: Hello?
  A: Hello, is that Mrs Patel?
  C: Speaking.
  A: Hi Mrs Patel, it's Joanne calling from the dental practice on King Street.
  A: I'm just ringing to remind you of your appointment on Thursday.
  C: Oh, Thursday. What time was it again?
  A: Ten fifteen with Doctor Shaw.
  C: Ah, I can't do that any more. I'm at work.
  A: No problem. Would the following week be any better?
  C: Do you have anything after five?
  A: I've got Tuesday the ninth at twenty past five.
  C: Tuesday works.
  A: I'll put you in for that then.
  C: Thank you very much.
  A: Please bring your medical card with you.
  C: I will. Bye.
  A: Bye bye.`,
  `A: IT service desk, you're through to Marek.
  C: Hey, my laptop won't connect to the VPN since this morning.
  A: Okay. What error do you see?
  C: It says authentication failed.
  A: Have you changed your password recently?
  C: Yes, yesterday, because it told me to.
  A: That'll be it. The old one is still saved. Can you open the credential manager?
  C: Where is that?
  A: Press the Windows key and type credential.
  C: Got it.
  A: You should see an entry called vpn gateway. Remove that.
  C: Done. And now?
  A: Connect again and type the new password.
  C: It's thinking. Oh, it's in!
  A: Brilliant. I'll close the ticket then.
  C: Cheers, you're a star.
  A: Anytime. Have a good one.`,
  `A: Thanks for holding, you're speaking with Denise in billing.
  C: Finally. I have been on hold for forty minutes.
  A: I do apologise for the wait, we're very busy today. What's the problem?
  C: You've taken the money twice again. This is the third month in a row.
  A: I'm really sorry about that. Can I take the number at the top of the letter?
  C: I already gave it to the last person.
  A: I know, but I can't see it here, I'm afraid.
  C: Fine. Eight eight two, four one nine, zero.
  A: Thanks. I can see two payments of thirty two dollars on the third.
  C: Exactly, and I only owe one.
  A: Yes, the second one shouldn't have gone out. I've sent it back to your bank just now.
  C: How long will that take?
  A: Three to five working days.
  C: And what about last month?
  A: That one was refunded on the twentieth.
  C: I haven't seen it. I'm going to check with my bank, and if it's not there I'm leaving.
  A: I understand. You can call me directly on extension 204.
  C: Alright. Goodbye.
  A: Bye, take care.`,
  `A: Corner Pharmacy, how can I help?
  C: Yes hello, I'd like to ask whether my prescription has come in.
  A: What's the surname?
  C: Novak.
  A: And the first line of the address?
  C: Fourteen Elm Road.
  A: It arrived this morning, so it's ready to collect.
  C: Oh good. Until when are you open?
  A: We close at six on weekdays.
  C: My husband will come by. Does he need anything?
  A: Just his ID, and the exemption card if you have one.
  C: He's got that. Is it the same brand as last time?
  A: It's a different maker, but the tablets are the same.
  C: As long as it works. Thanks for your help.
  A: You're welcome. Bye.`,
  `A: Hello, am I speaking with the owner of the house?
  C: Who's calling please?
  A: This is Kyle from Sunny Roof Solar. We're doing free surveys in your area this week.
  C: I'm not interested, thanks.
  A: It only takes ten minutes and there's no obligation whatsoever.
  C: I rent the place.
  A: Oh, I see. Could you perhaps give me the number of your landlord?
  C: No, I don't give out numbers.
  A: Fair enough. Could I leave you our website then?
  C: No. And please take me off your list.
  A: I've made a note, we won't call again.
  C: Good. Bye.
  A: Sorry to have bothered you. Bye.`,
  `A: City council, waste department.
  C: Morning. You didn't empty our brown bin again.
  A: Which street is that?
  C: Larch Avenue, number nine.
  A: Was it out before seven?
  C: It was out the night before. The whole street was left.
  A: Let me check. I can see here the truck broke down yesterday.
  C: So when will they come?
  A: They're coming back tomorrow morning. Just leave it out.
  C: And next week it's the normal day?
  A: Yes, the normal day.
  C: Right, okay. I hope so.
  A: Anything else I can do for you?
  C: No, that's it.
  A: Thanks for letting us know.`,
  `C: Hello?
  A: Hi, good morning. Is this Robert?
  C: Yes, who is this?
  A: This is Amber with Lakeside Credit Union. I'm calling about the loan application you sent in last week.
  C: Oh okay, great. Did it go through?
  A: It did. There's just one thing missing, a copy of your latest pay stub.
  C: I thought I uploaded that.
  A: We have the one from March, but we need the one from April.
  C: Okay, I can send that tonight. Where do I send it?
  A: You can reply to the email you got from us.
  C: Alright. And when do I get the money?
  A: Usually two business days after everything is signed.
  C: Sounds good. Thanks Amber.
  A: Thank you, Robert. Have a good day.
  C: You too.`,
  `A: hello this is robert thank you for calling first valley bank
  A: my name is robert how can i help you today
  C: hi robert my name is james miller
  C: i need to order a new checkbook
  A: okay i can help you with that
  A: which account is it for
  C: my checking account
  A: all right and what address should we send it to
  C: two four seven oak street
  A: two four seven oak street
  C: yes
  A: okay it has been ordered
  A: it should be there in about a week
  C: great
  A: is there anything else i can do for you
  C: no that's it
  A: okay have a great day
  C: thanks you too bye
  A: bye`,
  `A: hi thanks for calling my name is susan
  C: hello my name is david clark and i'd like to pay a bill
  A: sure mister clark what bill would you like to pay
  C: the electric company
  A: uh huh and how much
  C: it's sixty four dollars
  A: sixty four dollars okay
  A: and from which account
  C: from savings
  C: um hold on let me check
  C: yeah savings
  A: okay that's been paid
  C: okay thank you
  A: anything else
  C: uh what's my balance now
  A: your savings balance is one hundred and twelve dollars
  C: okay perfect that's all
  A: have a nice day mister clark
  C: bye`,
  `C: Hi, is that the bike shop?
  A: It is, yes.
  C: Do you still have the grey city bike from your window?
  A: The one with the basket? Yes, we've still got that.
  C: Is it okay for someone who's quite tall?
  A: How tall are you?
  C: One metre eighty eight.
  A: Then you'd need the large frame. I'd have to order it in.
  C: How long would it take?
  A: About ten days. There's no deposit, you can try it first.
  C: Could you order one then?
  A: Of course. Can I take your name and number?
  C: It's Henrik, oh seven nine double one, four five six, two two three.
  A: Got that. I'll text you when it's in.
  C: Brilliant, thanks.
  A: No problem. Bye.`,
  `A: Good morning, Fitzgerald Solicitors.
  C: Good morning, could I speak to Mr Fitzgerald please?
  A: He's in court until noon. May I ask what it's about?
  C: It's about the sale of my mother's house. He was going to send me the contract.
  A: And your name?
  C: Fiona Walsh.
  A: I can see the file here, Ms Walsh. The contract went out by post on Friday.
  C: I haven't had anything yet.
  A: Let me email you a copy in the meantime.
  C: That would be helpful. Do I sign it and send it back?
  A: Please don't sign it before he has gone through it with you.
  C: Oh, okay. When could he do that?
  A: He's free tomorrow at two. Shall I put you in?
  C: Yes please.
  A: That's done. Two o'clock tomorrow by phone.
  C: Lovely, thank you for your help.
  A: Not at all. Goodbye.`,
  `A: Hello, Pizza Napoli.
  C: Hi, can I order for delivery?
  A: Sure, what would you like?
  C: One large margherita and one with ham and mushrooms.
  A: Also large?
  C: No, small. And a tiramisu.
  A: Anything to drink?
  C: No thanks. Well, maybe a bottle of lemonade.
  A: What's the address?
  C: Twenty two Canal Street, second floor.
  A: That comes to thirty one fifty. Cash or card?
  C: Card. Can you make it not too spicy?
  A: It's not spicy at all.
  C: Good. How long will it be?
  A: Forty, forty five minutes.
  C: Okay, thanks.
  A: Thank you, bye.`,
  `A: Greenfield Electric customer care, my name is Tasha. Who do I have the pleasure of speaking with?
C: This is Carol Jenkins. I just moved into a new apartment and I need the power put in my name.
A: Congratulations on the new place, Carol. What's the service address?
C: It's eleven twenty Maple Court, apartment 3B.
A: And when would you like service to begin?
C: As of the first, please.
A: I'll need the last four of your social and a date of birth to set that up.
C: Sure, it's four four zero two, and June ninth nineteen eighty.
A: Thank you. There's a one time connection fee of twenty five dollars on your first bill.
C: Okay. Do I have to be home for it?
A: No, it's all done remotely.
C: Oh, that's easy. Can I get paperless billing too?
A: Absolutely, I've just switched that on for you. You'll see an email from us shortly.
C: Awesome. I think that's everything.
A: Alright Carol, welcome aboard and enjoy the new home.
C: Thank you so much, bye bye.`,
  `A: Hello, you're speaking to Northern Rail customer relations.
C: Yeah, hi. I'm calling because my train last Tuesday was cancelled and I had to take a taxi home. It cost me forty eight pounds, and nobody at the station could tell me anything.
A: I'm sorry to hear that. Which service was it?
C: The twenty two fifteen from Leeds to Harrogate.
A: Right. That was cancelled because of a staff shortage. Did you keep the receipt for the taxi?
C: I did, and I've still got the ticket as well.
A: In that case you can claim both back. I can send you a link to the form, or we can do it now over the phone.
C: Let's do it now if you don't mind.
A: Sure. What's the best email address for you?
C: It's j dot hargreaves at mailbox dot co dot uk.
A: And could you read me the number on the bottom of the ticket?
C: It's very small. Seven zero one, nine nine three.
A: That's gone through. You'll have the money within fourteen days.
C: Fourteen days? That's a bit long, isn't it?
A: It's usually quicker, to be honest.
C: Fair enough. Cheers for your help.
A: No worries. Bye now.`,
  `C: Hello, who's this?
A: Good evening, this is Marcus from Delta Recovery. May I speak with Thomas Reed?
C: This is Thomas.
A: Mr Reed, this call is recorded. I'm calling about an outstanding balance of three hundred and ten dollars with City Gym.
C: I cancelled that membership in January.
A: According to our records the account was still open until June.
C: Well, I've got an email that says it was cancelled.
A: Could you forward that email to us? Then I'll put the account on hold while we look into it.
C: Where should I send it?
A: To disputes at delta recovery dot com, with your name in the subject.
C: And you won't add any fees in the meantime?
A: No, nothing is added while it's being disputed.
C: Okay. I'll send it tonight.
A: Thank you, Mr Reed. Goodbye.`,
  `A: Front desk, Alicia speaking.
C: Hi Alicia, it's room 412. The air conditioning is making a terrible noise and we can't sleep.
A: Oh, I'm so sorry. I'll send somebody up right away.
C: How long will that be? The kids are exhausted.
A: About ten minutes. If he can't fix it, I can move you to another room on the same floor.
C: That would be great, actually. Could we just move?
A: Let me see what I have. 420 is free, it's the same size with two queen beds.
C: Perfect. Do we need to come down for the key?
A: No, stay where you are, I'll bring it up to you.
C: You're a lifesaver, thank you.
A: My pleasure. See you in a minute.`,
];
