import type { MetricName } from '../../../model/rubric-parts.ts';
import type { CheckAnswer } from '../../../model/scorecard.ts';
import type { Messages } from '../table.ts';
import type { BySlight, DetailKind, PressureKind, SecretKind, WeighedKey } from '../terms.ts';
import { countIn, decimal, listWith, percentIn, whole, withoutStop } from '../format.ts';

const COUNTS = ['ningún', 'un', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez'];
const count = (n: number): string => countIn(COUNTS, n);
/** "y" turns into "e" before the sound of an i: "español e inglés". */
const list = (items: readonly string[]): string =>
  listWith(/^h?[ií](?![aeou])/iu.test(items.at(-1) ?? '') ? 'e' : 'y', items);
const quote = (text: string): string => `«${text}»`;
const often = (n: number): string => (n === 1 ? 'una vez' : `${count(n)} veces`);

const details: Record<DetailKind, string> = {
  amount: 'el importe',
  date: 'la fecha',
  time: 'la hora',
  address: 'la dirección',
  number: 'el número',
  email: 'el correo electrónico',
  name: 'el nombre',
};

const pressure: Record<PressureKind, string> = {
  threat: 'amenaza al cliente',
  consequence: 'amenaza al cliente',
  guarantee: 'garantiza un resultado',
  secrecy: 'pide que la llamada se mantenga en secreto',
  urgency: 'exige una respuesta inmediata',
};
const pressures = (kinds: readonly PressureKind[]): string => list([...new Set(kinds.map((kind) => pressure[kind]))]);

const secret: Record<SecretKind, string> = {
  card: 'un número de tarjeta completo',
  code: 'un código de seguridad',
  nationalId: 'un número de documento de identidad',
  password: 'una contraseña',
};
const secrets = (kinds: readonly SecretKind[]): string => list(kinds.map((kind) => secret[kind]));

const rude: BySlight = {
  insult: 'El agente le falta al respeto al cliente.',
  profanity: 'El agente dice palabrotas.',
  sarcasm: 'El agente trata al cliente con sarcasmo.',
  blame: 'El agente le echa la culpa al cliente.',
  contempt: 'El agente trata al cliente con desprecio.',
  threat: 'El agente amenaza al cliente.',
};

const maybeRude: BySlight = {
  insult: 'Puede que sea un insulto',
  profanity: 'Puede que el agente diga aquí una palabrota',
  sarcasm: 'Puede que se diga con sarcasmo',
  blame: 'Puede que se culpe al cliente',
  contempt: 'Puede que se diga con desprecio',
  threat: 'Puede que sea una amenaza',
};

const metrics: Record<MetricName, (value: number) => string> = {
  agentInterruptions: (n) =>
    n === 0 ? 'el agente no interrumpe nunca al cliente' : `el agente interrumpe al cliente ${often(n)}`,
  customerInterruptions: (n) =>
    n === 0 ? 'el cliente no interrumpe nunca al agente' : `el cliente interrumpe al agente ${often(n)}`,
  agentOverlapPercent: (n) =>
    n < 0.05
      ? 'el agente no habla encima del cliente'
      : `el agente habla encima del cliente el ${percentIn(n, ',')} del tiempo`,
  agentWordsPerMinute: (n) => `el agente habla a ${whole(n)} palabras por minuto`,
  customerWordsPerMinute: (n) => `el cliente habla a ${whole(n)} palabras por minuto`,
  agentTalkPercent: (n) => `el agente habla el ${whole(n)} % del tiempo hablado`,
  longestMonologueSeconds: (n) => `el monólogo más largo dura ${whole(n)} segundos`,
  nonTalkSeconds: (n) => `en total nadie habla durante ${whole(n)} segundos`,
  longestSilenceSeconds: (n) => `el silencio más largo dura ${whole(n)} segundos`,
  durationSeconds: (n) => `la llamada dura ${whole(n)} segundos`,
  customerSentiment: (n) => `el tono del cliente es de ${decimal(n)} en una escala de -1 a 1`,
  agentSentiment: (n) => `el tono del agente es de ${decimal(n)} en una escala de -1 a 1`,
};

/** What is asked, as a clause. */
const asked: Record<WeighedKey, string> = {
  'greeting.opens': 'el agente saluda al cliente',
  'greeting.company': 'el agente dice el nombre de la empresa o del departamento',
  'greeting.name': 'el agente dice su nombre',
  'greeting.offer': 'el agente ofrece su ayuda',
  'problem.understood': 'el agente se asegura de entender la petición',
  'problem.details': 'el agente confirma los datos',
  'problem.resolved': 'la petición queda resuelta',
  'problem.accepted': 'el cliente queda conforme',
  'professionalism.courtesy': 'el agente es cortés en toda la llamada',
  'professionalism.respect': 'el agente trata al cliente con respeto',
  'closing.more': 'el agente pregunta si hace falta algo más',
  'closing.thanks': 'el agente da las gracias',
  'closing.farewell': 'el agente se despide',
};

const party = { agent: 'el agente', customer: 'el cliente' } as const;

const labels: Record<CheckAnswer, string> = {
  pass: 'se cumple',
  partial: 'se cumple en parte',
  fail: 'no se cumple',
  not_applicable: 'no procede',
  needs_review: 'por escuchar',
};

export const answers: Messages['answers'] = {
  count,
  list,
  quote,
  metrics,
  labels,
  hidden: '[oculto]',
  parts: {
    whole: 'en la llamada',
    firstTurns: (n) => (n === 1 ? 'en su primera intervención' : `en las primeras ${count(n)} intervenciones`),
    lastTurns: (n) => (n === 1 ? 'en su última intervención' : `en las últimas ${count(n)} intervenciones`),
    firstSeconds: (n) => `en los primeros ${String(n)} segundos`,
    lastSeconds: (n) => `en los últimos ${String(n)} segundos`,
    firstHalf: 'en la primera mitad de la llamada',
    secondHalf: 'en la segunda mitad de la llamada',
    middle: 'entre el saludo y la despedida',
  },
  exempt: {
    midCallStart: 'La grabación empieza con la llamada ya en curso.',
    needStatedFirst: 'El cliente dice lo que necesita antes de que el agente pueda preguntarlo.',
    customerEndsFirst: 'El cliente termina la llamada antes de que el agente pueda preguntar.',
    noChanceToClose: 'El cliente termina la llamada y el agente ya no puede decir nada más.',
    noCustomerSpeech: 'El cliente no dice nada.',
    unknownSpeakers: 'La grabación no distingue entre agente y cliente.',
    tooLittleTalk: (seconds) =>
      `El agente habla menos de ${String(seconds)} segundos: es demasiado poco para juzgarlo.`,
    nothingToMeasure: 'Aquí la llamada no ofrece nada que medir.',
    nothingSaid: 'En la grabación no se dice nada.',
    whoIsAgent: 'No se pudo determinar quién es el agente en la grabación.',
    noAgent: 'En la grabación no habla ningún agente.',
  },
  depends: {
    metric: 'La llamada queda fuera de los límites dentro de los que esto se aplica.',
    judgedFirst: (title) => `Esto depende de «${title}», que hay que decidir antes.`,
    answeredOtherwise: (title) => `Esto depende de «${title}», que tiene otra respuesta.`,
    ruledOut: (where) => `Se dice ${where} algo que lo descarta.`,
    notSaid: (where) => `Nada de lo que se dice ${where} hace que esto se aplique.`,
  },
  doubts: {
    onlyPerson: 'Esto solo puede juzgarlo una persona o un modelo de lenguaje.',
    voices: 'No está claro quién dice parte de la llamada, y de eso depende la respuesta.',
    inferredAgent: 'Que lo dice el agente se dedujo solo de las palabras.',
    noWords: (languages) => `El idioma de la llamada es ${list(languages)}, y el perfil no tiene palabras para él.`,
    unread: (why) => `${why}; solo puede juzgarlo una persona o un modelo de lenguaje.`,
    unclearLanguage: 'No está claro en qué idioma se habla',
    isIn: (language) => `La llamada es en ${language}`,
    partIsIn: (language) => `Parte de la llamada es en ${language}`,
    partyPartIsIn: (who, language) => `Parte de lo que dice ${party[who]} es en ${language}`,
    partySpeaks: (who, language) => `${who === 'agent' ? 'El agente' : 'El cliente'} habla en ${language}`,
    contradicted: (named, heard) =>
      `Se indica que la llamada es en ${named}, pero sus palabras parecen ser en ${list(heard)}`,
    several: (languages) => `En esta llamada se habla en ${list(languages)}`,
  },
  said: {
    fewer: (met, said, times) => `${met}, pero ${String(said)} de ${String(times)} veces.`,
    elsewhere: (met, where) => `${met}, pero no ${where}.`,
  },
  company: {
    pass: 'El agente dice al principio el nombre de la empresa o del departamento.',
    fail: 'En las dos primeras intervenciones del agente no se nombra ni la empresa ni un departamento.',
  },
  name: {
    pass: 'El agente dice su nombre.',
    fail: 'El agente no dice su nombre en sus tres primeras intervenciones.',
  },
  understood: {
    noNeed: 'El cliente no pide nada, así que no había nada que aclarar.',
    asked: 'El agente pregunta por la petición antes de actuar.',
    restated: 'El agente repite la petición antes de actuar.',
    atOnce: 'La petición estaba clara y el agente la atendió enseguida.',
    identified: 'La petición estaba clara; el agente solo tuvo que identificar al cliente.',
    fail: 'Entre la petición y la respuesta, el agente ni pregunta por ella ni la repite.',
  },
  details: {
    none: 'En la llamada no hay importe, fecha, hora, dirección ni número que confirmar.',
    agreed: 'El agente dice los datos y el cliente los confirma.',
    named: (kinds) => list(kinds.map((kind) => details[kind])),
    pass: (kinds) => `El agente repite ${list(kinds.map((kind) => details[kind]))}.`,
    partial: (missing) => `El agente confirma parte de los datos, pero no ${missing}.`,
    fail: (missing, isOne) =>
      `El cliente da ${missing}, y el agente no repite ${isOne ? 'ese dato' : 'esos datos'} en ningún momento.`,
  },
  resolved: {
    nothingAsked: 'El cliente no pide nada que resolver.',
    done: 'El agente dice que está hecho.',
    answered: 'El agente da la información que se le pidió.',
    next: 'Todavía no hay resultado, pero el agente dice cuál es el siguiente paso y quién lo da.',
    fail: 'El agente no dice que la petición esté resuelta ni indica un siguiente paso.',
  },
  accepted: {
    noChance: 'Después de la respuesta, el cliente no dice nada que permita saberlo.',
    objects: 'Al final el cliente se opone.',
    reserved: 'El cliente acepta, pero con reservas.',
    accepts: 'El cliente acepta al final y después no se opone.',
    nods: 'El cliente asiente al final y no se opone.',
    never: 'El cliente no llega a decir que la respuesta sea lo que quería.',
  },
  respect: {
    rude,
    possible: (kind) => `${maybeRude[kind]}, pero nada más en la llamada lo demuestra: conviene escucharlo.`,
    unclear: 'Puede que se diga una grosería, pero no se oyó con claridad: conviene escucharlo.',
    byWhom: 'Se dice una grosería, pero la grabación no deja claro quién: conviene escucharlo.',
    pass: 'El agente se mantiene correcto: sin insultos, palabrotas, sarcasmo, reproches ni amenazas.',
  },
  hold: {
    none: 'No hay silencios de más de 15 segundos.',
    place: (seconds, at) => `${String(seconds)} segundos en ${at}`,
    pass: 'Los silencios largos se avisan o se explican.',
    partial: (where) => `Se avisan algunos silencios largos, pero no todos: ${where}.`,
    fail: (where) => `Un silencio largo no se avisa ni se explica: ${where}.`,
  },
  sensitive: {
    named: secrets,
    pass: 'El agente no dice en voz alta ningún número de tarjeta completo, código de seguridad, documento de identidad ni contraseña.',
    fail: (kinds) => `El agente dice en voz alta ${secrets(kinds)}.`,
    maybe: (kinds) => `Puede que el agente diga en voz alta ${secrets(kinds)}: conviene escucharlo.`,
    byWhom: (kinds) =>
      `Alguien dice en voz alta ${secrets(kinds)}, pero la grabación no deja claro quién: conviene escucharlo.`,
  },
  pressure: {
    named: pressures,
    pass: 'El agente no amenaza, no promete resultados y no pide guardar el secreto.',
    fail: (kinds) => `El agente ${pressures(kinds)}.`,
    maybe: (kinds) =>
      `Parece que el agente ${pressures(kinds)}, pero una sola frase no lo demuestra: conviene escucharlo.`,
  },
  byModel: {
    cannotTell: (title) => `«${title}»: el modelo de lenguaje no pudo decidirlo; conviene escuchar la llamada.`,
    unshown: (title, answer, by) =>
      `«${title}»: el modelo de lenguaje responde «${answer}», pero ninguna frase ${by === null ? '' : by === 'agent' ? 'del agente ' : 'del cliente '}en la llamada lo demuestra; conviene escucharla.`,
    denied: (answer) =>
      `El modelo de lenguaje responde «${answer}», y estas palabras lo contradicen: conviene escuchar la llamada.`,
    aboutNothing: (answer) =>
      `El modelo de lenguaje responde «${answer}», y las reglas no encuentran a qué podría referirse: conviene escuchar la llamada.`,
    disagrees: (answer, other) =>
      `El modelo de lenguaje responde «${answer}» y las reglas responden «${other}»: conviene escuchar la llamada.`,
    plain: {
      pass: (title) => `«${title}»: según el modelo de lenguaje, se cumple.`,
      partial: (title) => `«${title}»: según el modelo de lenguaje, se cumple en parte.`,
      fail: (title) => `«${title}»: según el modelo de lenguaje, no se cumple.`,
      not_applicable: (title) => `«${title}»: según el modelo de lenguaje, no procede en esta llamada.`,
    },
  },
  suspicion: {
    possibly: {
      'professionalism.respect': (at: string): string =>
        `Lo que dice el agente en ${at} puede ser desprecio, reproche o amenaza, con palabras poco habituales: escúchelo.`,
      'compliance.pressure': (at: string): string =>
        `Lo que dice el agente en ${at} puede ser una amenaza, una promesa que nadie puede cumplir o una petición de secreto, con palabras poco habituales: escúchelo.`,
      'compliance.sensitive': (at: string): string =>
        `Lo que dice el agente en ${at} puede revelar un número de tarjeta, un código, una contraseña o un número de identidad: escúchelo.`,
    },
    open: 'También puede ser inofensivo: escúchelo.',
  },
  weighed: {
    pass: (key, at) => `Con palabras poco habituales se oye en ${at} que ${asked[key]}.`,
    partial: (key, at) => `Solo en parte puede decirse que ${asked[key]}; véase ${at}.`,
    fail: (key) => `Nada en la llamada suena a que ${asked[key]}.`,
    not_applicable: (key) => `La llamada no da ocasión de preguntarse si ${asked[key]}.`,
    needs_review: (key, at) => `No es seguro si ${asked[key]}: conviene escuchar en ${at}.`,
  },
  both: (first, second) => `${withoutStop(first)}. ${second}`,
};
