import { plainWord } from '../../model/text/tokens.ts';

/**
 * What words do in a clause, whatever the language: who, whether it is so, when, and what for. A word that ends in `*` stands for
 * all that begin so. The learned reader knows clauses by these beside their words, so that it reads verbs that it never saw.
 */
const WORDS = {
  self: `i i'm i've my me ich mich mir mein meine yo mi me he voy я мне меня мой моя`,
  we: `we our us wir unser unsere uns nosotros nuestro nuestra tenemos hemos vamos podemos мы нас нам наш наша наши у`,
  you: `you your yours yourself sie ihr ihre ihren ihrem ihnen du dir dich dein usted ustedes le su sus te tu вы вас вам ваш ваша ваше ваши вами ты тебя тебе`,
  not: `not no never nothing none without cannot neither nicht kein keine keinen keinem nie nichts ohne no nunca nada tampoco sin ningun* не ни нет нельзя никогда ничего без никак`,
  can: `can could able may möglich kann können könnte könnten darf dürfen puedo puede pueden podemos podría podria se могу может можем можете можно могли`,
  must: `must need needs should have ought muss müssen müsste sollte sollten soll tiene que debe debería hay надо нужно должен должна должны придется следует`,
  will: `will 'll going gonna shall werde wird werden werdet gleich voy va vamos van iré será enviaré enviaremos llamaré буду будет будем будут сейчас сделаем отправлю отправим пришлем перезвон* позвоню передам передадим оформлю уточню проверю`,
  would: `would if unless once when whether falls wenn sobald würde wäre könnte si cuando hasta sería cuando если когда пока бы как только`,
  done: `done booked sorted changed cancelled canceled refunded sent added switched reset fixed updated moved removed credited paid opened closed ordered confirmed arranged registered activated transferred corrected processed issued reserved completed extended approved renewed set put passed logged noted posted emailed released restored unlocked blocked waived through
    erledigt gebucht geändert storniert erstattet geschickt gesendet eingetragen umgestellt zurückgesetzt behoben aktualisiert verschoben gelöscht gutgeschrieben bezahlt geöffnet geschlossen bestellt bestätigt angelegt freigeschaltet überwiesen korrigiert reserviert verlängert gekündigt gemeldet hinterlegt aufgenommen raus drin vermerkt gesperrt weitergeleitet ausgestellt veranlasst notiert vorgemerkt fertig
    hecho listo lista reservado reservada cambiado cambiada cancelado cancelada devuelto enviado enviada añadido agregado agregada activado activada corregido corregida pagado abierto cerrado pedido confirmado confirmada agendado agendada registrado registrada anotado anotada apuntado apuntada programado programada quedó queda quedo renovado bloqueado arreglado resuelto tramitado solicitado mandé mandado cargado
    готово сделано оформил* записал* поменял* отменил* вернул* отправил* добавил* изменил* исправил* оплачен* открыл* закрыл* заказал* подтвердил* перенес* перенёс* зарегистриров* активиров* восстановил* заблокиров* разблокиров* продлил* внес* сбросил* подключил* отключил* передал* назначил* забронир* зачисл* создал* все поставил*`,
  now: `now already just straight right here today ready jetzt schon gerade eben sofort heute bereit ya ahora mismo hoy aquí listo уже теперь только что сейчас сегодня вот`,
  later: `tomorrow later soon within days day hours week weeks monday tuesday wednesday thursday friday saturday sunday morgen später bald innerhalb tagen tage stunden woche montag dienstag mittwoch donnerstag freitag samstag mañana luego pronto dentro días horas semana lunes martes miércoles jueves viernes sábado завтра позже скоро течение дней дня часов часа недел* понедельник* вторник* сред* четверг* пятниц* суббот*`,
  vague: `try see look check possibly perhaps maybe probably somebody someone soon eventually schauen mal versuchen vielleicht irgendwann jemand eventuell melden a ver quizás quizas intentar alguien veremos tal vez попробу* посмотрим может быть кто нибудь как возможно`,
  sorry: `sorry apologies apologise apologize afraid unfortunately regret leider tut entschuldig* bedauer* verzeih* siento lamento disculp* perdon* lamentablemente desgraciadamente извините простите сожалению жаль прошу прощения`,
  feel: `understand hear awful terrible frustrating annoying worry worried hard tough stressful poor oh dear verstehe ärgerlich schlimm blöd sorgen nervig schrecklich unangenehm klar entiendo comprendo imagino molest* pena preocup* terrible понимаю неприятно обидно ужасно переживайте беспокойтесь представляю тяжело`,
  please: `please kindly bitte gern gerne por favor amable пожалуйста будьте добры`,
  thank: `thanks thank cheers grateful appreciate ta danke dank dankeschön merci vergelt's gracias agradezco agradecid* спасибо благодар* признател*`,
  sure: `course sure certainly absolutely gladly happy pleasure welcome selbstverständlich natürlich klar sicher gerne claro supuesto gusto desde encantad* конечно разумеется обязательно рад рада`,
  help: `help do assist happening wrong need matter helfen tun weiterhelfen anliegen geht kann's brauchen ayudar ayudo ayude sirvo ofrece necesita puedo cuénteme dígame diga mande помочь помогу могу полезен полезна слушаю вопрос подсказать случилось`,
  else: `else other further anything more sonst noch weitere weiteren außerdem más algo otra otro alguna duda еще ещё другие другое остались вопросы что`,
  bye: `bye goodbye care luck evening weekend cheerio tschüss tschüs tschau wiederhören wiederschauen servus ade adieu ciao schönen adiós hasta chao luego cuídese vaya bien saludos свидания доброго хорошего всего удачи пока счастливо здоровья`,
  hello: `hello hi hey morning afternoon evening hallo guten moin grüezi grüß servus tag hola buenos buenas bueno aló здравствуйте добрый день алло утро`,
  named: `name's name speaking this it's called heiße name spreche sprechen apparat hier mein saluda habla atiende nombre llamo soy зовут меня это говорит линии`,
  tell: `tell explain means because works so actually reason since basically heißt bedeutet weil liegt nämlich grund also explico significa porque debido pasa resulta razón значит потому дело связано поэтому объясню`,
  ask: `what which when where who how why whose was welche welcher wann wo wer wie warum wieso qué cuál cuándo dónde quién cómo cuánto por что какой какая какие когда где кто как почему сколько чем`,
  confirm: `right correct yes yeah exactly okay stimmt richtig korrekt oder ne gell ja genau verdad correcto cierto sí no exacto верно правильно так да точно ага`,
  back: `so means understood mean repeat summarise heard got noted also verstanden wiederhole zusammengefasst das heißt geht habe entonces entiendo repito es decir resumen tengo anoto итак значит повторю правильно понял* записываю`,
  great: `great perfect brilliant lovely excellent wonderful amazing fantastic good fine super ideal prima super toll wunderbar perfekt klasse ausgezeichnet fein passt genial perfecto excelente estupendo genial bueno bien bárbaro buenísimo отлично прекрасно замечательно супер хорошо здорово`,
  fine: `okay alright ok fine enough all einverstanden gut okay reicht alles vale listo bien está ya bueno ладно хорошо ясно понятно ок пойдет годится устраивает подходит`,
  grudging: `guess suppose hope though still but well whatever fine hoffe na naja aber trotzdem schauen meinetwegen halt eh espero pero pues aunque ojalá ni modo qué remedio надеюсь но ладно посмотрим ну хотя придется`,
  angry: `ridiculous useless unacceptable joke disgrace complaint complain manager supervisor nonsense rubbish fault wrong outrageous lawyer review unverschämt frechheit lächerlich unmöglich beschwer* chef vorgesetzt* anwalt quatsch ungeheuer* inaceptable vergüenza ridículo quej* supervisor abogado reclam* colmo burla безобразие ужас жаловаться жалоб* хамство начальник* руководств* суд возмутительно издева* бред`,
  want: `want would like looking wondering calling ringing trying möchte will wollte bräuchte brauche suche rufe quiero quería quisiera necesito llamo llamaba busco хочу хотел* нужно надо звоню хотелось подскажите`,
  hold: `moment second minute bear hold line wait moment augenblick sekunde dran bleiben warten momento momentito segundo espere línea cuelgue minuto минут* секунд* подождите оставайтесь линии ожидайте`,
  place: `street road avenue postcode address number date birth straße postleitzahl adresse nummer datum geburtsdatum calle avenida dirección número fecha postal улица дом адрес номер дата рождения квартира индекс`,
} as const;

export type ClauseKind = keyof typeof WORDS;
export const CLAUSE_KINDS = Object.keys(WORDS) as ClauseKind[];

const whole = new Map<string, ClauseKind[]>();
const beginnings = new Map<string, ClauseKind[]>();
for (const kind of CLAUSE_KINDS) {
  for (const written of new Set(WORDS[kind].split(/\s+/u))) {
    const isStart = written.endsWith('*');
    const word = plainWord(isStart ? written.slice(0, -1) : written);
    const into = isStart ? beginnings : whole;
    into.set(word, [...(into.get(word) ?? []), kind]);
  }
}
const BEGINNING_MIN = Math.min(...[...beginnings.keys()].map(({ length }) => length));

/** What a word may do in a clause; nothing for most words. */
export function clauseKindsOf(word: string): readonly ClauseKind[] {
  const exact = whole.get(word);
  if (exact) return exact;
  for (let length = word.length; length >= BEGINNING_MIN; length -= 1) {
    const found = beginnings.get(word.slice(0, length));
    if (found) return found;
  }
  return NONE;
}

const NONE: readonly ClauseKind[] = [];
