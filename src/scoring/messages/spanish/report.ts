import type { Messages } from '../table.ts';
import type { BySlight, ClosingPart, OpeningPart, PressureKind, StandardKey, StandardTitle } from '../terms.ts';
import { capitalize, percentIn, withoutStop } from '../format.ts';
import { answers } from './answers.ts';

const { list } = answers;

const openings: Record<OpeningPart, string> = {
  opens: 'el saludo',
  company: 'el nombre de la empresa o del departamento',
  name: 'el nombre del agente',
  offer: 'la pregunta de en qué puede ayudar',
};

const closings: Record<ClosingPart, string> = {
  more: 'la pregunta de si hace falta algo más',
  thanks: 'el agradecimiento',
  farewell: 'la despedida',
};

const closingWords: Record<ClosingPart, string> = {
  more: '¿Hay algo más en lo que pueda ayudarle?',
  thanks: 'Gracias por llamar.',
  farewell: 'Que tenga un buen día, hasta luego.',
};

const nouns: Record<StandardKey, string> = {
  'greeting.opens': 'el saludo',
  'greeting.company': 'el nombre de la empresa',
  'greeting.name': 'el nombre del agente',
  'greeting.offer': 'la oferta de ayuda',
  'problem.understood': 'la comprensión de la petición',
  'problem.details': 'la confirmación de los datos',
  'problem.resolved': 'el resultado',
  'problem.accepted': 'la conformidad del cliente',
  'professionalism.courtesy': 'la cortesía durante la llamada',
  'professionalism.respect': 'el respeto',
  'professionalism.listening': 'dejar hablar al cliente',
  'professionalism.hold': 'la explicación de los silencios',
  'professionalism.clarity': 'el ritmo al hablar',
  'closing.more': 'la pregunta de si hace falta algo más',
  'closing.thanks': 'el agradecimiento final',
  'closing.farewell': 'la despedida',
};

const titles: Record<StandardTitle, string> = {
  'Greets the customer': 'Saluda al cliente',
  'Names the company or department': 'Dice el nombre de la empresa o del departamento',
  'Gives their own name': 'Dice su nombre',
  'Asks how they can help': 'Ofrece su ayuda',
  'Makes sure of the need': 'Se asegura de entender la petición',
  'Confirms the details': 'Confirma los datos',
  'Resolves the request': 'Resuelve la petición',
  'The customer accepts': 'El cliente queda conforme',
  'Is courteous throughout': 'Es cortés en toda la llamada',
  'Treats the customer with respect': 'Trata al cliente con respeto',
  'Lets the customer speak': 'Deja hablar al cliente',
  'Announces silences': 'Avisa de los silencios',
  'Speaks at a clear pace': 'Habla a un ritmo claro',
  'Asks what else is needed': 'Pregunta si hace falta algo más',
  'Thanks the customer': 'Da las gracias al cliente',
  'Says goodbye': 'Se despide',
  'No sensitive data read aloud': 'Sin datos confidenciales en voz alta',
  'No threats, guarantees or secrecy': 'Sin amenazas, garantías ni secretos',
  'The recording is announced': 'Se avisa de la grabación',
};

const respect: BySlight = {
  insult: 'Diga lo que diga el cliente, nunca hay que volverse contra él. Una pausa, y después lo que se puede hacer.',
  profanity: 'Las palabrotas no tienen sitio en una llamada con un cliente.',
  sarcasm: 'El sarcasmo se oye como desprecio: hay que responder a la pregunta con sencillez.',
  blame: 'No hay que buscar la culpa en el cliente. «Vamos a ver cómo lo arreglamos» hace avanzar la llamada.',
  contempt: 'A nadie se le habla con desprecio: hay que explicarlo otra vez, con otras palabras.',
  threat: 'No se amenaza. Hay que nombrar las opciones y dejar que el cliente elija.',
};

const instead: Record<PressureKind, string> = {
  threat: 'no amenazar; nombrar las opciones y los plazos',
  consequence: 'no amenazar; nombrar las opciones y los plazos',
  guarantee: 'no prometer un resultado que deciden otros; decir qué se va a hacer y para cuándo',
  secrecy: 'no pedir nunca que el cliente se calle una llamada; lo que se ofrece debe poder oírlo cualquiera',
  urgency: 'dejar al cliente tiempo para decidir',
};

const moments = (at: readonly string[]): string => (at.length === 0 ? '' : ` (${list(at)})`);
const further = (things: readonly string[], more: boolean): string =>
  more ? `${things.join(', ')}, entre otros` : list(things);

export const summary: Messages['summary'] = {
  agent: 'El agente',
  nouns,
  titles,
  unretold: (doubt) => `${doubt}: lo que se dice queda para una persona o un modelo de lenguaje`,
  nothingSaid: 'En esta grabación no se dice nada, así que no hay nada que puntuar.',
  announcement: (said) =>
    `Solo se oye un mensaje grabado: ${said}. No habla ningún agente, así que no hay nada que puntuar.`,
  unknownVoices: (said) =>
    `No se pudo determinar qué voz es la del agente, así que no hay nada que puntuar. La grabación empieza así: ${said}.`,
  noAgent: (said) =>
    `En esta grabación no habla ningún agente, así que no hay nada que puntuar. Del lado del cliente se oye: ${said}.`,
  need: {
    midCall: 'La grabación empieza con la llamada ya en curso, y la petición no llega a oírse',
    none: 'El cliente no pide nada en esta llamada',
    unclear: (at) => `La petición del cliente en ${at} no se reconoció con claridad`,
    asked: (said) => `El cliente preguntó: ${said}`,
    came: (said) => `La petición, en palabras del cliente: ${said}`,
    called: (said) => `El agente llamó al cliente: ${said}`,
  },
  approach: {
    asked: (who) => `${who} preguntó antes por la petición`,
    restated: (who) => `${who} se aseguró primero de haber entendido la petición`,
    askedAndConfirmed: (who) => `${who} preguntó antes por la petición y confirmó los datos`,
    restatedAndConfirmed: (who) => `${who} se aseguró primero de haber entendido la petición y confirmó los datos`,
    confirmed: (who) => `${who} confirmó los datos`,
  },
  outcome: {
    done: (who, at, said) => `${who} comunicó el resultado en ${at}${said}`,
    answered: (who, at, said) => `${who} dio la respuesta en ${at}${said}`,
    next: (who, at, said) => `${who} lo dejó en un siguiente paso (${at})${said}`,
    none: 'No se encontró en la llamada ni un resultado ni un siguiente paso',
    open: (at) => `Si la petición se resolvió debe decidirlo quien la escuche${at === null ? '' : ` (${at})`}`,
    openAfter: (who, at, said) =>
      `${who} dijo en ${at}: ${said}; si con eso se resolvió la petición debe decidirlo quien la escuche`,
  },
  reaction: {
    accepted: (said) => `El cliente quedó conforme con el resultado${said}`,
    reserved: (said) => `El cliente aceptó con reservas${said}`,
    objected: (said) => `El cliente quedó descontento${said}`,
    silent: 'El cliente no llegó a decir que eso fuera lo que quería',
    unheard: 'No se oye cómo se lo tomó el cliente',
  },
  verdict: {
    inapplicable: 'Ninguna comprobación del perfil procede en esta llamada',
    unscored: (open) =>
      `Todavía no hay puntuación: ${open === 1 ? 'queda una comprobación' : `quedan ${String(open)} comprobaciones`} para una persona, porque se pudo juzgar demasiado poco`,
    alsoCritical: (why) => `No se cumple una comprobación crítica: ${withoutStop(why)}`,
    allMet: 'Se cumplen todas las comprobaciones que proceden en esta llamada',
    judgedMet: 'Se cumplen todas las comprobaciones que se pudieron juzgar',
    lost: (things, more) => `Se perdieron puntos aquí: ${further(things, more)}`,
    capped: (why) => `La puntuación está limitada por un fallo crítico: ${withoutStop(why)}`,
    alsoLost: (things, more) => `También se perdieron puntos aquí: ${further(things, more)}`,
    left: (things, more) => `Por decidir al escuchar la llamada: ${further(things, more)}`,
    compliance: (parts) => `Cumplimiento: ${parts.join('; ')}`,
    possibleBreach: (parts) => `Posible incumplimiento, que debe juzgar una persona: ${parts.join('; ')}`,
    openCompliance: (parts) => `Cumplimiento, por decidir por una persona: ${parts.join('; ')}`,
    at: (what, at) => `${withoutStop(what)} (${at})`,
  },
};

export const tasks: Messages['tasks'] = {
  openRequest: (need) => `Contactar con el cliente, cuya petición sigue abierta. ${withoutStop(need)}.`,
  notAccepted: 'Contactar con el cliente: no aceptó el resultado.',
  breach: (title, at) =>
    `Repasar la grabación${at === null ? '' : ` en ${at}`} con el agente: se incumplió «${title}».`,
  decide: (title, at) => `Escuchar la grabación${at === null ? '' : ` en ${at}`} para decidir sobre «${title}».`,
  promised: (at, said) => `Prometido en ${at}: ${said}. Comprobar que se cumpla.`,
  forCustomer: (at, said) => `Tarea del cliente (${at}): ${said}. Comprobar que pudo hacerlo.`,
  callBack: (said) => `Devolver la llamada al cliente: ${said}.`,
};

export const coaching: Messages['coaching'] = {
  opening: (missing, at, said, example) =>
    `En el saludo en ${at} (${said}) ${missing.length > 1 ? 'faltan' : 'falta'} ${list(missing.map((part) => openings[part]))}. Propuesta: «${example}»`,
  offer: '¿En qué puedo ayudarle?',
  greeting: (company, name) =>
    `Buenos días, ${company ?? '(empresa)'}, le habla ${name ?? '(su nombre)'}. ¿En qué puedo ayudarle?`,
  ending: (missing, at, said) =>
    `Las últimas palabras del agente en ${at} son ${said}; ${missing.length > 1 ? 'faltan' : 'falta'} ${list(missing.map((part) => closings[part]))}. Propuesta: «${missing.map((part) => closingWords[part]).join(' ')}»`,
  understood: (at, said) =>
    `El cliente explica su petición en ${at} (${said}). Antes de actuar conviene repetirla o preguntar, por ejemplo: «A ver si lo he entendido bien: …»`,
  understoodUnheard: 'Antes de actuar conviene repetir la petición en una frase y dejar que el cliente la confirme.',
  details: (names, at) =>
    `Antes de actuar conviene repetir ${names} (${at}); si no, un error pasa inadvertido. Basta con «Le repito: … ¿es correcto?».`,
  detailsUnheard:
    'Antes de actuar conviene repetir los datos que da el cliente (importes, fechas, números, direcciones); si no, un error pasa inadvertido. Basta con «Le repito: … ¿es correcto?».',
  someDetails: (names, at) =>
    `Se confirma parte de los datos, pero no ${names} (${at}): conviene repetirlos todos, para descubrir un error mientras el cliente sigue al teléfono.`,
  onlyPromised: (said) => `El cliente se va con una promesa${said === null ? '' : ` (${said})`} y sin un resultado.`,
  sayByWhen: 'Conviene decir para cuándo y cómo sabrá el cliente que está hecho.',
  sayHow: 'Conviene decir cómo sabrá el cliente que está hecho y a quién dirigirse si no.',
  resolved: 'Hay que decirle al cliente qué pasa con su petición: que está hecha, o quién hará qué y para cuándo.',
  resolvedBy: (at) => `En ${at} la llamada va hacia su fin sin que se diga.`,
  reserved: (at, said) =>
    `El cliente aún tiene dudas en ${at}${said}. Antes de cerrar, conviene preguntar qué las resolvería.`,
  objected: (at, said) =>
    `El cliente se opone en ${at}${said}. Hay que atenderlo antes de terminar: nombrar lo que le preocupa, decir qué se puede hacer y ofrecerle a alguien que pueda decidir más.`,
  accepted: 'Conviene comprobar que la respuesta es lo que el cliente quería, por ejemplo: «¿Le sirve así?»',
  onlyAtEdges: 'Las palabras corteses se quedan en el saludo y la despedida.',
  noCourtesy: 'No se le oye al agente ni una palabra cortés.',
  anyCourtesy: 'Un «gracias» cuando el cliente responde o un «con gusto» cuando pide algo no cuesta nada.',
  plainRequest: (at, said) => `En ${at} el agente pregunta «${said}». Un «por favor» lo hace más amable.`,
  softened: (at, said) => `En ${at} el agente pregunta «${said}». Un «por favor» lo hace más amable.`,
  respect: (said, at, kind, isBreach) =>
    `${said.length > 0 ? `Esto no puede ocurrir: ${list(said)}.` : `Lo que se dice en ${at} no puede ocurrir.`} ${respect[kind]} Conviene hablarlo pronto con el agente${isBreach ? ', junto con el incumplimiento' : ''}.`,
  saidAt: (said, at) => `«${said}» (${at})`,
  overlap: (percent) =>
    `El agente habla encima del cliente el ${percentIn(percent, ',')} de la llamada. Conviene esperar un segundo de silencio antes de responder.`,
  interruptions: (count, at) =>
    `El agente interrumpe ${answers.count(count)} veces (${list(at)}). Hay que dejar terminar al cliente; «Siga, le escucho» es más rápido que oírlo dos veces.`,
  hold: (where) =>
    `La línea queda en silencio sin una palabra: ${where}. Conviene decir antes «Un momento, lo consulto» y después «Gracias por esperar».`,
  someHolds: (where) =>
    `Una espera queda sin explicar: ${where}. Conviene decir antes «Un momento, lo consulto» y después «Gracias por esperar».`,
  fast: (pace) =>
    `A ${String(pace)} palabras por minuto el agente habla demasiado rápido para seguirlo bien. Una pausa breve después de cada dato lo acerca a 150.`,
  slow: (pace) =>
    `A ${String(pace)} palabras por minuto el agente habla despacio, con pausas largas dentro de las frases. Ayuda tener la pantalla lista antes de explicar.`,
  secrets: (kinds, at) =>
    `Nunca debe decirse en voz alta ${kinds.length > 0 ? answers.sensitive.named(kinds) : 'un dato confidencial'}${moments(at)}: que el cliente lo teclee, o confirmar solo las últimas cifras.`,
  pressure: (kinds, at) =>
    `${capitalize([...new Set(kinds.map((kind) => instead[kind]))].join('; '))}. El agente ${answers.pressure.named(kinds)}${moments(at)}.`,
  sayEarly: (title, why) => `${title}: conviene decirlo pronto en cada llamada. ${withoutStop(why)}.`,
  broken: (title, why, at) => `${title}: ${withoutStop(why)}${moments(at)}.`,
  example: (phrase) => `Cuentan, por ejemplo, las palabras: «${phrase}».`,
};
