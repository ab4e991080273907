import type { Messages } from '../table.ts';
import type { BySlight, ClosingPart, OpeningPart, PressureKind, StandardKey, StandardTitle } from '../terms.ts';
import { capitalize, percentIn, russianForm, withoutStop } from '../format.ts';
import { answers } from './answers.ts';

const { list } = answers;

const openings: Record<OpeningPart, string> = {
  opens: 'приветствия',
  company: 'названия компании или отдела',
  name: 'имени оператора',
  offer: 'вопроса, чем помочь',
};

const closings: Record<ClosingPart, string> = {
  more: 'вопроса, нужно ли что-то ещё',
  thanks: 'благодарности',
  farewell: 'прощания',
};

const closingWords: Record<ClosingPart, string> = {
  more: 'Могу ли я помочь вам чем-то ещё?',
  thanks: 'Спасибо за звонок.',
  farewell: 'Всего доброго, до свидания.',
};

const nouns: Record<StandardKey, string> = {
  'greeting.opens': 'приветствие',
  'greeting.company': 'название компании',
  'greeting.name': 'имя оператора',
  'greeting.offer': 'вопрос о том, чем помочь',
  'problem.understood': 'уточнение запроса',
  'problem.details': 'подтверждение данных',
  'problem.resolved': 'результат',
  'problem.accepted': 'согласие клиента',
  'professionalism.courtesy': 'вежливость в разговоре',
  'professionalism.respect': 'уважение к клиенту',
  'professionalism.listening': 'умение выслушать',
  'professionalism.hold': 'объяснение пауз',
  'professionalism.clarity': 'темп речи',
  'closing.more': 'предложение дальнейшей помощи',
  'closing.thanks': 'благодарность в конце',
  'closing.farewell': 'прощание',
};

const titles: Record<StandardTitle, string> = {
  'Greets the customer': 'Здоровается с клиентом',
  'Names the company or department': 'Называет компанию или отдел',
  'Gives their own name': 'Называет своё имя',
  'Asks how they can help': 'Предлагает помощь',
  'Makes sure of the need': 'Уточняет запрос',
  'Confirms the details': 'Подтверждает данные',
  'Resolves the request': 'Решает вопрос',
  'The customer accepts': 'Клиента устраивает ответ',
  'Is courteous throughout': 'Вежлив весь разговор',
  'Treats the customer with respect': 'Уважителен к клиенту',
  'Lets the customer speak': 'Даёт клиенту договорить',
  'Announces silences': 'Предупреждает о паузах',
  'Speaks at a clear pace': 'Говорит в понятном темпе',
  'Asks what else is needed': 'Спрашивает, нужно ли что-то ещё',
  'Thanks the customer': 'Благодарит клиента',
  'Says goodbye': 'Прощается',
  'No sensitive data read aloud': 'Секретные данные не произносятся вслух',
  'No threats, guarantees or secrecy': 'Без угроз, гарантий и тайн',
  'The recording is announced': 'О записи разговора предупреждают',
};

const respect: BySlight = {
  insult: 'Что бы ни говорил клиент, нельзя отвечать грубостью. Сделайте паузу и скажите, что можете сделать.',
  profanity: 'Ругани в разговоре с клиентом не место.',
  sarcasm: 'Издёвка воспринимается как презрение: ответьте на вопрос просто.',
  blame: 'Не ищите вину клиента. «Давайте посмотрим, как это исправить» двигает разговор вперёд.',
  contempt: 'Ни с кем нельзя говорить свысока: объясните ещё раз, другими словами.',
  threat: 'Не угрожайте. Назовите варианты и дайте клиенту выбрать.',
};

const instead: Record<PressureKind, string> = {
  threat: 'не угрожайте, а назовите варианты и сроки',
  consequence: 'не угрожайте, а назовите варианты и сроки',
  guarantee: 'не обещайте исхода, который решают другие; скажите, что сделаете вы и к какому сроку',
  secrecy:
    'никогда не просите клиента молчать о разговоре; предложение должно быть таким, чтобы его мог услышать любой',
  urgency: 'дайте клиенту время на решение',
};

const moments = (at: readonly string[]): string => (at.length === 0 ? '' : ` (${list(at)})`);
const further = (things: readonly string[], more: boolean): string =>
  more ? `${things.join(', ')} и другое` : list(things);

/** In the present tense throughout: the past one would tell whether an agent is a man or a woman. */
export const summary: Messages['summary'] = {
  agent: 'Оператор',
  nouns,
  titles,
  unretold: (doubt) => `${doubt}. О сказанном может судить человек или языковая модель`,
  nothingSaid: 'В этой записи никто ничего не говорит, оценивать нечего.',
  announcement: (said) => `Слышно только записанное сообщение: ${said}. Оператор не говорит, оценивать нечего.`,
  unknownVoices: (said) =>
    `Не удалось определить, какой голос принадлежит оператору, оценивать нечего. Запись начинается так: ${said}.`,
  noAgent: (said) => `Оператор в этой записи не говорит, оценивать нечего. Со стороны клиента слышно: ${said}.`,
  need: {
    midCall: 'Запись начинается с середины разговора, самого запроса не слышно',
    none: 'Клиент в этом разговоре ни о чём не просит',
    unclear: (at) => `Запрос клиента (${at}) распознан неразборчиво`,
    asked: (said) => `Клиент спрашивает: ${said}`,
    came: (said) => `С чем обращается клиент, его словами: ${said}`,
    called: (said) => `Оператор звонит клиенту: ${said}`,
  },
  approach: {
    asked: (who) => `${who} сначала уточняет запрос`,
    restated: (who) => `${who} сначала проверяет, верно ли понят запрос`,
    askedAndConfirmed: (who) => `${who} сначала уточняет запрос и подтверждает данные`,
    restatedAndConfirmed: (who) => `${who} сначала проверяет, верно ли понят запрос, и подтверждает данные`,
    confirmed: (who) => `${who} подтверждает данные`,
  },
  outcome: {
    done: (who, at, said) => `${who} сообщает результат (${at})${said}`,
    answered: (who, at, said) => `${who} даёт ответ (${at})${said}`,
    next: (who, at, said) => `${who} называет лишь следующий шаг (${at})${said}`,
    none: 'В разговоре не найдено ни результата, ни следующего шага',
    open: (at) => `Решён ли вопрос, нужно определить при прослушивании${at === null ? '' : ` (${at})`}`,
    openAfter: (who, at, said) =>
      `${who} говорит (${at}): ${said}; решён ли этим вопрос, нужно определить при прослушивании`,
  },
  reaction: {
    accepted: (said) => `Клиента устраивает результат${said}`,
    reserved: (said) => `Клиент соглашается с оговоркой${said}`,
    objected: (said) => `Клиент остаётся недоволен${said}`,
    silent: 'Клиент ни разу не говорит, что ответ его устраивает',
    unheard: 'Как это воспринимает клиент, не слышно',
  },
  verdict: {
    inapplicable: 'Ни одна проверка профиля к этому разговору не относится',
    unscored: (open) =>
      `Оценки пока нет: ${String(open)} ${russianForm(open, ['проверка остаётся', 'проверки остаются', 'проверок остаются'])} человеку, потому что определить удалось слишком мало`,
    alsoCritical: (why) => `Критическая проверка не пройдена: ${withoutStop(why)}`,
    allMet: 'Все проверки, которые относятся к этому разговору, пройдены',
    judgedMet: 'Все проверки, о которых удалось судить, пройдены',
    lost: (things, more) => `Баллы потеряны здесь: ${further(things, more)}`,
    capped: (why) => `Оценка ограничена из-за критической ошибки: ${withoutStop(why)}`,
    alsoLost: (things, more) => `Баллы потеряны и здесь: ${further(things, more)}`,
    left: (things, more) => `Остаётся решить при прослушивании: ${further(things, more)}`,
    compliance: (parts) => `Соблюдение правил: ${parts.join('; ')}`,
    possibleBreach: (parts) => `Возможное нарушение правил, о котором должен судить человек: ${parts.join('; ')}`,
    openCompliance: (parts) => `Соблюдение правил, решать человеку: ${parts.join('; ')}`,
    at: (what, at) => `${withoutStop(what)} (${at})`,
  },
};

export const tasks: Messages['tasks'] = {
  openRequest: (need) => `Связаться с клиентом: его запрос ещё не выполнен. ${withoutStop(need)}.`,
  notAccepted: 'Связаться с клиентом: результат его не устроил.',
  breach: (title, at) => `Разобрать запись${at === null ? '' : ` (${at})`} с оператором: нарушено правило «${title}».`,
  decide: (title, at) => `Прослушать запись${at === null ? '' : ` (${at})`} и решить: «${title}».`,
  promised: (at, said) => `Обещано (${at}): ${said}. Проследить, чтобы это было сделано.`,
  forCustomer: (at, said) => `Задача клиента (${at}): ${said}. Проверить, получилось ли.`,
  callBack: (said) => `Перезвонить клиенту: ${said}.`,
};

export const coaching: Messages['coaching'] = {
  opening: (missing, at, said, example) =>
    `В начале разговора (${at}, ${said}) не хватает ${list(missing.map((part) => openings[part]))}. Попробуйте так: «${example}»`,
  offer: 'Чем я могу вам помочь?',
  greeting: (company, name) =>
    `Добрый день, ${company ?? '(компания)'}, меня зовут ${name ?? '(ваше имя)'}. Чем я могу вам помочь?`,
  ending: (missing, at, said) =>
    `Последние слова оператора (${at}): ${said}; не хватает ${list(missing.map((part) => closings[part]))}. Закончите так: «${missing.map((part) => closingWords[part]).join(' ')}»`,
  understood: (at, said) =>
    `Клиент объясняет, что ему нужно (${at}, ${said}). Прежде чем действовать, повторите запрос или задайте вопрос, например: «Правильно ли я понимаю: …?»`,
  understoodUnheard: 'Прежде чем действовать, повторите запрос одной фразой и дайте клиенту его подтвердить.',
  details: (names, at) =>
    `Прежде чем действовать, повторите ${names} (${at}), иначе ошибка останется незамеченной. Достаточно сказать: «Повторю: … Всё верно?»`,
  detailsUnheard:
    'Прежде чем действовать, повторите то, что называет клиент (суммы, даты, номера, адреса), иначе ошибка останется незамеченной. Достаточно сказать: «Повторю: … Всё верно?»',
  someDetails: (names, at) =>
    `Часть данных подтверждена, но не ${names} (${at}): повторяйте всё, чтобы ошибка обнаружилась, пока клиент ещё на линии.`,
  onlyPromised: (said) => `Клиент уходит с обещанием${said === null ? '' : ` (${said})`}, но без результата.`,
  sayByWhen: 'Скажите, к какому сроку это будет сделано и как клиент об этом узнает.',
  sayHow: 'Скажите, как клиент узнает, что всё сделано, и к кому обратиться, если нет.',
  resolved: 'Скажите клиенту, что с его запросом: что он выполнен или кто, что и к какому сроку сделает.',
  resolvedBy: (at) => `Разговор идёт к концу без этого (${at}).`,
  reserved: (at, said) => `У клиента ещё есть сомнения (${at})${said}. Перед прощанием спросите, что их развеет.`,
  objected: (at, said) =>
    `Клиент возражает (${at})${said}. Ответьте на это до конца разговора: назовите, что его беспокоит, скажите, что можете сделать, и предложите того, кто может решить больше.`,
  accepted: 'Проверьте, что ответ устраивает клиента, например: «Вам это подходит?»',
  onlyAtEdges: 'Вежливые слова звучат только в приветствии и при прощании.',
  noCourtesy: 'От оператора не слышно ни одного вежливого слова.',
  anyCourtesy: '«Спасибо», когда клиент отвечает, или «конечно», когда он о чём-то просит, ничего не стоит.',
  plainRequest: (at, said) => `Оператор спрашивает (${at}): «${said}» С «пожалуйста» это прозвучит как просьба.`,
  softened: (at, said) => `Оператор спрашивает (${at}): «${said}» С «пожалуйста» это прозвучит как просьба.`,
  respect: (said, at, kind, isBreach) =>
    `${said.length > 0 ? `Такого быть не должно: ${list(said)}.` : `Того, что сказано (${at}), быть не должно.`} ${respect[kind]} Руководителю стоит скоро поговорить об этом с оператором${isBreach ? ', вместе с нарушением правил' : ''}.`,
  saidAt: (said, at) => `«${said}» (${at})`,
  overlap: (percent) =>
    `Оператор говорит одновременно с клиентом ${percentIn(percent, ',')} разговора. Перед ответом выждите секунду тишины.`,
  interruptions: (count, at) =>
    `Оператор перебивает клиента ${String(count)} ${russianForm(count, ['раз', 'раза', 'раз'])} (${list(at)}). Дайте клиенту договорить: «Да, я слушаю» быстрее, чем выслушивать всё дважды.`,
  hold: (where) =>
    `На линии без предупреждения тишина: ${where}. Скажите сначала «Минуту, пожалуйста, я проверю», а потом «Спасибо за ожидание».`,
  someHolds: (where) =>
    `Одна из пауз осталась без объяснения: ${where}. Скажите сначала «Минуту, пожалуйста, я проверю», а потом «Спасибо за ожидание».`,
  fast: (pace) =>
    `${String(pace)} ${russianForm(pace, ['слово', 'слова', 'слов'])} в минуту — слишком быстро, чтобы легко следить. Короткая пауза после каждой мысли приблизит темп к 150.`,
  slow: (pace) =>
    `${String(pace)} ${russianForm(pace, ['слово', 'слова', 'слов'])} в минуту — медленно, с длинными паузами внутри фраз. Помогает заранее открыть нужный экран.`,
  secrets: (kinds, at) =>
    `Никогда не произносите вслух ${kinds.length > 0 ? answers.sensitive.named(kinds) : 'секретные данные'}${moments(at)}: пусть клиент введёт это сам, или подтвердите только последние цифры.`,
  pressure: (kinds, at) =>
    `${capitalize([...new Set(kinds.map((kind) => instead[kind]))].join('; '))}. Оператор ${answers.pressure.named(kinds)}${moments(at)}.`,
  sayEarly: (title, why) => `${title}: говорите это в начале каждого разговора. ${withoutStop(why)}.`,
  broken: (title, why, at) => `${title}: ${withoutStop(why)}${moments(at)}.`,
  example: (phrase) => `Засчитываются, например, слова: «${phrase}».`,
};
