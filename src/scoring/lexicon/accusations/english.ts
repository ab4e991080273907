import { type AccusationBook, phrases } from './accusation-book.ts';

export const english: AccusationBook = {
  clear: {
    insult: phrases(`
      shut your mouth, go to hell, screw you, do you even listen/read/speak/think, are you even listening,
      stop wasting my time, quit whining/moaning/crying, you are being ridiculous/childish/silly/dramatic,
      i am sick/tired of you, what part of * do you not understand,
      you are a pain/nuisance/idiot/moron/liar/fool/joke,
      you are annoying/pathetic/useless/worthless/stupid/dumb/thick, a waste of space, your tiny brain,
      what the heck/hell is wrong with you, too thick/stupid/dumb to, half a brain, you are a scrounger
    `),
    sarcasm: phrases(`
      well/nice/okay/congratulations/right genius, well done genius, nice one genius, as if i care, like i care,
      cry me a river, do you want a medal, well are not you clever/special/smart, no kidding sherlock,
      brilliant idea sherlock
    `),
    blame: phrases(`
      your own fault, it is your fault, that is your fault, is entirely/all your fault, your fault not ours/mine,
      your own stupidity/carelessness, you only have yourself to blame, got yourself to blame,
      you brought this on yourself, you did this to yourself, you screwed up
    `),
    threat: phrases(`
      watch your mouth, i will ruin/destroy/wreck your, drag you to/into court, will have you arrested,
      get you arrested, get you fired/sacked/deported/evicted, come after you, break your legs
    `),
    consequence: phrases(`legal action against you`),
  },
  possible: {
    insult: phrases(`
      what the hell, what is wrong with you, what is the matter with you,
      are you deaf/blind/thick/slow/drunk/mental/mad/stupid/dumb, can you not read/listen/understand/count,
      can you not even, do you not listen/understand/read, do you not speak english,
      learn to read/listen/speak/count/english, learn the language, learn english, use your brain/head, you people,
      people like you, your kind of people, your type of, you lot, wasting my time, waste my time, waste of my time,
      not my job, i do not care, could not care less, i do not get paid, not paid enough, they do not pay me enough,
      stop whining/complaining/crying/moaning/yelling/bothering/shouting/ringing, boo hoo, too bad for you,
      tough luck, get over it, even a child, a child could, my grandmother could, year old would/could,
      how many times do i have to, how many times have i, how hard can/is it, not rocket science,
      you are impossible/unbelievable/rude/difficult/boring/ridiculous,
      you are being difficult/unreasonable/rude/annoying, i am not your babysitter/mother/secretary/maid/servant/nanny
    `),
    sarcasm: phrases(`
      your highness, your majesty, my heart bleeds, good luck with that, are not you clever/special/smart,
      someone is clever/special, yes because that always works, shall i call your mother/mummy/mum, oh great another,
      here we go again, poor princess/thing, heaven forbid, fly to the moon, hallelujah, draw you a picture,
      spell it out for you, say it/that slowly, speak slowly so, fancy that, with a cherry on top
    `),
    blame: phrases(`
      you should have read/thought/known/listened/looked/checked/asked/remembered/noticed/started,
      you should have paid attention, you should have been more careful,
      you should of read/thought/known/listened/checked, you should pay attention, you should learn,
      if you had read/paid/bothered/looked/checked, if you had just read/listened/paid/bothered,
      if you had turned/listened/started, maybe if you had/read/listened, next time read/listen/pay/think/try,
      you did not bother, you obviously did not/can not/do not, obviously you did not/can not/do not,
      clearly you did not/can not/do not, you clearly did not/can not/do not, you messed up, you messed * up,
      because you were careless, you were careless, you were not listening/paying, you never listen/read,
      why did you not just read/listen/call/check, your own mistake/doing/carelessness/problem, that is on you,
      get for not thinking/reading/listening, blame yourself, what did you expect, what do you expect,
      do not come crying, you are wasting the time
    `),
    contempt: phrases(`
      normal people do, most people manage, everybody/everyone else manages/managed, some people should/need/are,
      some of us have to work, near a/the telephone/phone/money/keyboard, nobody ever teach/taught you,
      nobody teach/taught you, anybody ever teach you, between your ears, engage your brain, it is a wonder they/you,
      one wonders how, at your age, for someone your age, not the brightest, not the sharpest, bless your little,
      you poor little, calm down dear/love/sweetheart, now listen sweetheart/darling/love/dear,
      listen sweetheart/darling/love, like everybody/everyone else, drop like flies, he has had a good run,
      speak to you like a child, with you people, go back to where, for people like that, in english please,
      written in plain english, does not seem to work with you, get it through your, how did you ever,
      in your little world, who packs, some nerve, the likes of you, is it so hard, is that so hard,
      would you like me to hold your hand, hold your hand through, too much for you to
    `),
    threat: phrases(`
      you will regret, you will be sorry, i will make sure you never, make sure you never, i will make your life,
      make your life, know where you live, watch yourself, do not mess with, do not test me, i am warning you,
      last warning, you have been warned, ruin/destroy/wreck/damage your credit/life/rating/score/reputation,
      will be arrested, go to jail/prison, send someone to your, send somebody to your, send * lads/boys/men,
      lads will/at, come to your house, take everything you, take your house/home/car/children/kids,
      take you to court, see you in court, will sue you, never get service/credit/a loan again,
      lose your house/home/job/car/flat/children, clear your desk, out on the street, out on your ear,
      happens/happened to your, happen to your, report you to, report you, find out what happens, see what happens,
      will pay you a visit, pay you a visit, block your account, get a name for yourself, i would not want to be you,
      it will get ugly, get expensive for you, accidents happen, have your address remember,
      have your address * not forget, have got your address remember
    `),
    consequence: phrases(`
      will hurt your credit, send the police, call the police, police will, legal action, debt collectors,
      collection agency, collectors, there will be consequences, face the consequences, facing consequences,
      we will cut you off, send bailiffs, send the bailiffs, bailiffs come, homicide charge, never get a mortgage,
      on your credit file, the first ones we switch off
    `),
  },
  faint: phrases(`
      so what, what now, who cares, deal with it, big deal, bravo, sherlock, lucky me, poor you, poor baby,
      what a tragedy, clap clap, what a surprise, what a surprise another, let me guess you, oh wow how terrible,
      oh how terrible for you, you broke it, you must have broken, you must have done something, you are the one who,
      or else, pay now or, pay today or, pay up or, pay right now or, again and again, already told you,
      second/third time, told you twice, have your address, have got your address, remember that, do not forget that,
      sweetheart, darling, it is not that hard/difficult/complicated, in english, everybody else, everyone else,
      seriously, sweet dreams
    `),
  commands: phrases(`
      go to hell,
      not my problem, that is not my problem, it is not my problem, is your problem not mine, that is your problem,
      sounds like your problem, shut up, shut it, get lost, grow up, piss off, bugger off, get a life, get a grip,
      go away, try thinking, do one
    `),
  foul: 'fuck fucks fucking fucked fucker motherfucker shit shitty bullshit asshole assholes arsehole arseholes dickhead wanker twat cunt goddamn goddammit dumbass'.split(
    ' ',
  ),
  mixed: 'bitch bitches bastard bastards prick bollocks jackass bugger pissed scrounger crap damn arse'.split(' '),
  names:
    'idiot idiots idiotic moron morons moronic stupid imbecile imbeciles loser losers dimwit halfwit liar brainless retard retarded'.split(
      ' ',
    ),
  rude: 'dumb fool foolish clueless ignorant pathetic lazy crazy insane hopeless incompetent senile thick useless'.split(
    ' ',
  ),
  you: ['you', 'your', 'yourself'],
  own: ['i', 'my', 'me', 'we', 'our', 'myself'],
  reporting:
    'said say says saying called call calls calling told tell wrote writes quote word words heard hear feel felt feeling look sound sounds mean meant thinks thought think claims claimed joke'.split(
      ' ',
    ),
  hedges:
    'goes novel book film title band album song boat puppy if whether unless suppose nobody would could might case decides insurance covers cover'.split(
      ' ',
    ),
  spelling: ['for', 'as', 'like', 'in'],
  naming: 'mr mrs ms miss street road surname company named spelled spelt'.split(' '),
  conditions: phrases(`
      if you do not, if you can not, if you will not, if you keep, if you are shouting, if you cancel, if you wait,
      unless you, pay now, pay today, pay up, pay by, people who do not pay, or else, keep on, keep ringing,
      if the money is not, before you say no, pay right now, if you complain
    `),
  frames: phrases(`
      if you do not pay/sign/agree/decide, unless you pay/sign, be a pity/shame, would hate for/to/it,
      would not want * to, imagine if, imagine your, one word/call from me, make one/a call, will hear about/of,
      is going to hear about, find out about, find out, i/we will tell/inform/ring/phone/contact your,
      think of/about your, before you say no, be homeless, things can/could happen, not so lucky, get into trouble,
      in trouble, what would/will your, what your * will say/think, have a word with your, does not need to know,
      taken away, go missing, hear about your, know about your, keep an eye on, safe journey, nice * you have there
    `),
  targets:
    'wife husband son daughter kids kid children child girl boy mother father mum mom dad family grandchildren grandson baby boss employer job landlord tenancy lease visa permit papers immigration residence citizenship desk sponsor neighbours neighbors'.split(
      ' ',
    ),
  offers: phrases(`
      would you like, do you want, if you want, if you like, if you wish, as you asked, shall we, shall i,
      if you need, still be covered, for you, covers, policy, do not worry, on your behalf, against a, against the,
      give you a, no legal action, not take/taking legal action, without legal action, not damage/hurt/affect,
      will not hurt/damage/affect, not call the police, or else i/we can, have you
    `),
  guarantees: {
    clear: phrases(`
      guarantee you will be/get/never/make/win/have/earn, guarantee that you will, guarantee you * never,
      guarantee you * half, guaranteed approval/profit/profits/win/return/returns, profit is guaranteed,
      profits are guaranteed, hundred percent guaranteed, 100 percent guaranteed, double your money,
      promise you the * will be paid, promise you will be approved
    `),
    possible: phrases(`
      i/we guarantee, i/we can guarantee, i/we absolutely guarantee, i/we personally guarantee, can guarantee you,
      guaranteed to, is/are guaranteed, you are guaranteed,
      guaranteed approval/return/returns/profit/profits/win/results/refund/to, a guaranteed,
      hundred percent guaranteed/certain/guarantee/confirmed, 100 percent guaranteed/guarantee,
      i/we promise you will/the/it/they/your/that/this, i/we promise that you/the/it/they/your,
      i/we promise your/the/it/they/nothing/there, i can promise you/that/your/the/it,
      you will definitely get/win/receive/be/make/have/qualify, will definitely be approved/accepted/refunded,
      you can not lose, risk free, there is no risk, no risk at all, double your, nothing can go wrong,
      nothing can happen, i give you my word, no ifs or buts, sure as sunrise, never seen one * turned down,
      times over, make your money, for life, guaranteed
    `),
    outcomes:
      'approved approval profit profits win winning double never refund cure cured percent money lower cheaper pass visa'.split(
        ' ',
      ),
  },
  secrecy: phrases(`
      keep this/it/that/our between us/you/ourselves, stays between us/you, stay between us/you, between you and me,
      just between us, between the two of us,
      keep this/it/that/the call/conversation secret/quiet/private/confidential, keep this/it/that/the * a secret,
      keep it/this/that to yourself, keep it between, keep that between, our little secret, off the record,
      do not tell anyone/anybody/my/your/the/them/him/her, do not go telling, do not mention this/it/that/our,
      not mention this to, not a word to, do not say anything to/about, do not discuss this/it,
      do not let anyone/anybody/my/your know, nobody/no one needs/has to know, does not need to find/know,
      do not need to know, no need to mention, did not hear this/that/it from me, this call never happened,
      best if * does not hear/know, need never know
    `),
  urgency: phrases(`
      when you hang up, after this call, if you hang up, decide now, say yes now, need a yes, this price is gone,
      yes on this call, only now on the, right now on this call, offer dies/ends now, goes up another
    `),
  deadlines: phrases(`
      must decide/sign/agree/pay today/now, have/need/got to decide/sign/agree today/now, decide today, decide right now,
      if you do not decide/sign/agree today/now, offer/price expires/dies today/tonight
    `),
  protests: phrases(`
      are you threatening, is that a threat, do not threaten, how dare you, do not talk/speak to me,
      talk/speak to me like that, do not insult, that is rude, how rude, you are rude, so rude, being rude,
      no need to be rude, no need to insult, i beg your pardon, excuse me, what did you just say,
      what did you call me, how is that helpful, i want your name, that is uncalled, that is insulting,
      are you serious, are you mocking, making fun of me, i am not stupid, i am not an idiot, who do you think you are
    `),
  resistance: phrases(`
      do not pressure/push/rush/hurry me, stop pressuring/pushing/rushing me, are you pressuring/pushing/rushing,
      feel pressured/pushed/rushed, will not be pressured/pushed/rushed, too good to be true, sounds like a scam,
      is this/that/it a scam, why should i not tell, why should i not mention, why should nobody/no one know, why the secrecy,
      why the rush/hurry, why is it/this/that a secret, why so secret, do not like being pushed/rushed/pressured
    `),
};
