import type { MetricName } from '../../../model/rubric-parts.ts';
import type { CheckAnswer } from '../../../model/scorecard.ts';
import type { Messages } from '../table.ts';
import type { BySlight, DetailKind, PressureKind, SecretKind, WeighedKey } from '../terms.ts';
import { countIn, decimal, listWith, percentIn, russianForm, withoutStop } from '../format.ts';

const COUNTS = ['ноль', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять', 'десять'];
const AMONG = ['', '', 'двух', 'трёх', 'четырёх', 'пяти', 'шести', 'семи', 'восьми', 'девяти', 'десяти'];
const count = (n: number): string => countIn(COUNTS, n);
const among = (n: number): string => countIn(AMONG, n);
const list = (items: readonly string[]): string => listWith('и', items);
const quote = (text: string): string => `«${text}»`;
const times = (n: number): string => `${String(n)} ${russianForm(n, ['раз', 'раза', 'раз'])}`;
const rounded = (n: number, forms: [string, string, string]): string =>
  `${String(Math.round(n))} ${russianForm(Math.round(n), forms)}`;
const seconds = (n: number): string => rounded(n, ['секунду', 'секунды', 'секунд']);
const words = (n: number): string => rounded(n, ['слово', 'слова', 'слов']);

const details: Record<DetailKind, string> = {
  amount: 'сумму',
  date: 'дату',
  time: 'время',
  address: 'адрес',
  number: 'номер',
  email: 'адрес электронной почты',
  name: 'имя',
};

const pressure: Record<PressureKind, string> = {
  threat: 'угрожает клиенту',
  consequence: 'угрожает клиенту',
  guarantee: 'гарантирует результат',
  secrecy: 'просит держать разговор в тайне',
  urgency: 'требует немедленного ответа',
};
const pressures = (kinds: readonly PressureKind[]): string => list([...new Set(kinds.map((kind) => pressure[kind]))]);

const secret: Record<SecretKind, string> = {
  card: 'полный номер карты',
  code: 'код безопасности',
  nationalId: 'номер документа',
  password: 'пароль',
};
const secrets = (kinds: readonly SecretKind[]): string => list(kinds.map((kind) => secret[kind]));

const rude: BySlight = {
  insult: 'Оператор грубит клиенту.',
  profanity: 'Оператор ругается.',
  sarcasm: 'Оператор говорит с клиентом с издёвкой.',
  blame: 'Оператор перекладывает вину на клиента.',
  contempt: 'Оператор говорит с клиентом свысока.',
  threat: 'Оператор угрожает клиенту.',
};

const maybeRude: BySlight = {
  insult: 'Возможно, это сказано как оскорбление',
  profanity: 'Возможно, оператор здесь ругается',
  sarcasm: 'Возможно, это сказано с издёвкой',
  blame: 'Возможно, это обвинение клиента',
  contempt: 'Возможно, это сказано свысока',
  threat: 'Возможно, это сказано как угроза',
};

const metrics: Record<MetricName, (value: number) => string> = {
  agentInterruptions: (n) =>
    n === 0 ? 'оператор ни разу не перебивает клиента' : `оператор перебивает клиента ${times(n)}`,
  customerInterruptions: (n) =>
    n === 0 ? 'клиент ни разу не перебивает оператора' : `клиент перебивает оператора ${times(n)}`,
  agentOverlapPercent: (n) =>
    n < 0.05
      ? 'оператор не говорит одновременно с клиентом'
      : `оператор говорит одновременно с клиентом ${percentIn(n, ',')} времени`,
  agentWordsPerMinute: (n) => `оператор произносит ${words(n)} в минуту`,
  customerWordsPerMinute: (n) => `клиент произносит ${words(n)} в минуту`,
  agentTalkPercent: (n) => `на оператора приходится ${String(Math.round(n))} % времени речи`,
  longestMonologueSeconds: (n) => `самый длинный монолог длится ${seconds(n)}`,
  nonTalkSeconds: (n) => `в общей сложности никто не говорит ${seconds(n)}`,
  longestSilenceSeconds: (n) => `самая длинная пауза длится ${seconds(n)}`,
  durationSeconds: (n) => `разговор длится ${seconds(n)}`,
  customerSentiment: (n) => `настроение клиента — ${decimal(n)} по шкале от -1 до 1`,
  agentSentiment: (n) => `настроение оператора — ${decimal(n)} по шкале от -1 до 1`,
};

/** What is asked, as a sentence, and as what one may doubt. */
const asked: Record<WeighedKey, { that: string; whether: string }> = {
  'greeting.opens': { that: 'оператор здоровается', whether: 'здоровается ли оператор' },
  'greeting.company': {
    that: 'оператор называет компанию или отдел',
    whether: 'называет ли оператор компанию или отдел',
  },
  'greeting.name': { that: 'оператор называет своё имя', whether: 'называет ли оператор своё имя' },
  'greeting.offer': { that: 'оператор предлагает помощь', whether: 'предлагает ли оператор помощь' },
  'problem.understood': { that: 'оператор уточняет запрос', whether: 'уточняет ли оператор запрос' },
  'problem.details': { that: 'оператор подтверждает данные', whether: 'подтверждает ли оператор данные' },
  'problem.resolved': { that: 'вопрос решён', whether: 'решён ли вопрос' },
  'problem.accepted': { that: 'клиента устраивает ответ', whether: 'устраивает ли клиента ответ' },
  'professionalism.courtesy': { that: 'оператор вежлив весь разговор', whether: 'вежлив ли оператор весь разговор' },
  'professionalism.respect': { that: 'оператор уважителен к клиенту', whether: 'уважителен ли оператор к клиенту' },
  'closing.more': {
    that: 'оператор спрашивает о других вопросах',
    whether: 'спрашивает ли оператор о других вопросах',
  },
  'closing.thanks': { that: 'оператор благодарит клиента', whether: 'благодарит ли оператор клиента' },
  'closing.farewell': { that: 'оператор прощается', whether: 'прощается ли оператор' },
};

const labels: Record<CheckAnswer, string> = {
  pass: 'выполнено',
  partial: 'выполнено частично',
  fail: 'не выполнено',
  not_applicable: 'не относится',
  needs_review: 'прослушать',
};

export const answers: Messages['answers'] = {
  count,
  list,
  quote,
  metrics,
  labels,
  hidden: '[скрыто]',
  parts: {
    whole: 'в разговоре',
    firstTurns: (n) => (n === 1 ? 'в первой реплике' : `в первых ${among(n)} репликах`),
    lastTurns: (n) => (n === 1 ? 'в последней реплике' : `в последних ${among(n)} репликах`),
    firstSeconds: (n) => `в первые ${rounded(n, ['секунду', 'секунды', 'секунд'])}`,
    lastSeconds: (n) => `в последние ${rounded(n, ['секунду', 'секунды', 'секунд'])}`,
    firstHalf: 'в первой половине разговора',
    secondHalf: 'во второй половине разговора',
    middle: 'между приветствием и прощанием',
  },
  exempt: {
    midCallStart: 'Запись начинается с середины разговора.',
    needStatedFirst: 'Клиент говорит, что ему нужно, прежде чем оператор успевает спросить.',
    customerEndsFirst: 'Клиент заканчивает разговор, прежде чем оператор успевает спросить.',
    noChanceToClose: 'Клиент заканчивает разговор, и оператор уже не может ничего сказать.',
    noCustomerSpeech: 'Клиент ничего не говорит.',
    unknownSpeakers: 'В записи не различить оператора и клиента.',
    tooLittleTalk: (n) =>
      `Оператор говорит меньше ${String(n)} ${russianForm(n, ['секунды', 'секунд', 'секунд'])}: этого мало для оценки.`,
    nothingToMeasure: 'В этом разговоре здесь нечего измерять.',
    nothingSaid: 'В записи никто ничего не говорит.',
    whoIsAgent: 'Не удалось определить, кто в записи оператор.',
    noAgent: 'Оператор в записи не говорит.',
  },
  depends: {
    metric: 'Разговор вне пределов, в которых это применяется.',
    judgedFirst: (title) => `Это зависит от «${title}»: сначала нужно решить об этом.`,
    answeredOtherwise: (title) => `Это зависит от «${title}», а там ответ другой.`,
    ruledOut: (where) => `То, что исключает эту проверку, сказано ${where}.`,
    notSaid: (where) => `То, от чего зависит эта проверка, не сказано ${where}.`,
  },
  doubts: {
    onlyPerson: 'Об этом может судить только человек или языковая модель.',
    voices: 'Неясно, кто произносит часть разговора, а от этого зависит ответ.',
    inferredAgent: 'То, что это говорит оператор, определено только по словам.',
    noWords: (languages) => `Язык разговора: ${list(languages)}; для него в профиле нет слов.`,
    unread: (why) => `${why}; об этом может судить только человек или языковая модель.`,
    unclearLanguage: 'Неясно, на каком языке идёт разговор',
    isIn: (language) => `Язык разговора: ${language}`,
    partIsIn: (language) => `Язык части разговора: ${language}`,
    partyPartIsIn: (party, language) =>
      `Язык части того, что говорит ${party === 'agent' ? 'оператор' : 'клиент'}: ${language}`,
    partySpeaks: (party, language) =>
      `Язык, на котором говорит ${party === 'agent' ? 'оператор' : 'клиент'}: ${language}`,
    contradicted: (named, heard) => `Указанный язык разговора — ${named}, но слова похожи на другой: ${list(heard)}`,
    several: (languages) => `В этом разговоре звучит несколько языков: ${list(languages)}`,
  },
  said: {
    fewer: (met, n, of) => `${met}, но ${String(n)} из ${times(of)}.`,
    elsewhere: (met, where) => `${met}, но не ${where}.`,
  },
  company: {
    pass: 'Оператор в начале называет компанию или отдел.',
    fail: 'В первых двух репликах оператора не названы ни компания, ни отдел.',
  },
  name: {
    pass: 'Оператор называет своё имя.',
    fail: 'Оператор не называет своё имя в первых трёх репликах.',
  },
  understood: {
    noNeed: 'Клиент ни о чём не просит, уточнять было нечего.',
    asked: 'Оператор задаёт вопрос о запросе, прежде чем действовать.',
    restated: 'Оператор повторяет запрос, прежде чем действовать.',
    atOnce: 'Запрос был ясен, и оператор выполнил его сразу.',
    identified: 'Запрос был ясен; оператору нужно было только установить личность клиента.',
    fail: 'Между запросом и ответом оператор не уточняет запрос и не повторяет его.',
  },
  details: {
    none: 'В разговоре нет суммы, даты, времени, адреса или номера, которые нужно подтвердить.',
    agreed: 'Оператор называет данные, и клиент их подтверждает.',
    named: (kinds) => list(kinds.map((kind) => details[kind])),
    pass: (kinds) => `Оператор повторяет ${list(kinds.map((kind) => details[kind]))}.`,
    partial: (missing) => `Оператор подтверждает часть данных, но не повторяет ${missing}.`,
    fail: (missing) => `Клиент называет ${missing}, и оператор ни разу этого не повторяет.`,
  },
  resolved: {
    nothingAsked: 'Клиент не просит ничего, что нужно было бы решить.',
    done: 'Оператор говорит, что всё сделано.',
    answered: 'Оператор даёт информацию, о которой спрашивали.',
    next: 'Результата ещё нет, но оператор называет следующий шаг и того, кто его сделает.',
    fail: 'Оператор не говорит, что запрос выполнен, и не называет следующего шага.',
  },
  accepted: {
    noChance: 'После ответа клиент не говорит ничего, по чему можно судить.',
    objects: 'В конце клиент возражает.',
    reserved: 'Клиент соглашается, но с оговоркой.',
    accepts: 'В конце клиент соглашается и потом не возражает.',
    nods: 'В конце клиент соглашается и не возражает.',
    never: 'Клиент ни разу не говорит, что ответ его устраивает.',
  },
  respect: {
    rude,
    possible: (kind) => `${maybeRude[kind]}, но больше ничто в разговоре на это не указывает: нужно прослушать.`,
    unclear: 'Возможно, прозвучало грубое слово, но его плохо слышно: нужно прослушать.',
    byWhom: 'Прозвучало грубое слово, но по записи неясно, от кого: нужно прослушать.',
    pass: 'Оператор остаётся вежливым: без оскорблений, ругани, издёвок, обвинений и угроз.',
  },
  hold: {
    none: 'В разговоре нет пауз длиннее 15 секунд.',
    place: (n, at) => `${rounded(n, ['секунда', 'секунды', 'секунд'])} (${at})`,
    pass: 'О долгих паузах предупреждают, или их объясняют.',
    partial: (where) => `О некоторых долгих паузах предупреждают, но не обо всех: ${where}.`,
    fail: (where) => `О долгой паузе не предупреждают, и её не объясняют: ${where}.`,
  },
  sensitive: {
    named: secrets,
    pass: 'Оператор не произносит вслух полный номер карты, код безопасности, номер документа или пароль.',
    fail: (kinds) => `Оператор произносит вслух ${secrets(kinds)}.`,
    maybe: (kinds) => `Возможно, оператор произносит вслух ${secrets(kinds)}: нужно прослушать.`,
    byWhom: (kinds) => `Кто-то произносит вслух ${secrets(kinds)}, но по записи неясно, кто: нужно прослушать.`,
  },
  pressure: {
    named: pressures,
    pass: 'Оператор не угрожает, не обещает исхода и не просит о тайне.',
    fail: (kinds) => `Оператор ${pressures(kinds)}.`,
    maybe: (kinds) => `Возможно, оператор ${pressures(kinds)}, но одна фраза этого не доказывает: нужно прослушать.`,
  },
  byModel: {
    cannotTell: (title) => `«${title}»: языковая модель не смогла определить; нужно прослушать разговор.`,
    unshown: (title, answer, by) =>
      `«${title}»: языковая модель отвечает «${answer}», но слов${by === null ? '' : by === 'agent' ? ' оператора' : ' клиента'}, которые это подтверждают, в разговоре нет; нужно прослушать.`,
    denied: (answer) => `Языковая модель отвечает «${answer}», но эти слова говорят об обратном: нужно прослушать.`,
    aboutNothing: (answer) =>
      `Языковая модель отвечает «${answer}», но правила не находят, к чему это могло бы относиться: нужно прослушать.`,
    disagrees: (answer, other) =>
      `Языковая модель отвечает «${answer}», правила отвечают «${other}»: нужно прослушать.`,
    plain: {
      pass: (title) => `«${title}»: по мнению языковой модели, выполнено.`,
      partial: (title) => `«${title}»: по мнению языковой модели, выполнено частично.`,
      fail: (title) => `«${title}»: по мнению языковой модели, не выполнено.`,
      not_applicable: (title) => `«${title}»: по мнению языковой модели, к этому разговору не относится.`,
    },
  },
  suspicion: {
    possibly: {
      'professionalism.respect': (at: string): string =>
        `Слова оператора (${at}) могут быть издёвкой, упрёком или угрозой, сказанными не обычными словами: прослушайте.`,
      'compliance.pressure': (at: string): string =>
        `Слова оператора (${at}) могут быть угрозой, невыполнимым обещанием или просьбой о тайне, сказанными не обычными словами: прослушайте.`,
      'compliance.sensitive': (at: string): string =>
        `Слова оператора (${at}) могут раскрывать номер карты, код, пароль или номер документа: прослушайте.`,
    },
    open: 'Это может быть и безобидным: прослушайте.',
  },
  weighed: {
    pass: (key, at) => `Не обычными словами, но слышно, что ${asked[key].that} (${at}).`,
    partial: (key, at) => `Лишь отчасти можно сказать, что ${asked[key].that}; см. ${at}.`,
    fail: (key) => `Ничто в разговоре не похоже на то, что ${asked[key].that}.`,
    not_applicable: (key) => `В этом разговоре не возникает вопроса, ${asked[key].whether}.`,
    needs_review: (key, at) => `Неясно, ${asked[key].whether}: нужно прослушать с ${at}.`,
  },
  both: (first, second) => `${withoutStop(first)}. ${second}`,
};
