import type { ReadLanguage } from '../languages/language.ts';

/** Words and what they weigh (positive above 0), what turns them round, and what makes them stronger. No accents. */
export type SentimentWords = {
  values: ReadonlyMap<string, number>;
  negators: ReadonlySet<string>;
  stronger: ReadonlySet<string>;
};

const split = (words: string): string[] => words.split(/\s+/u).filter(Boolean);
const weigh = (weight: number, words: string): [string, number][] => split(words).map((word) => [word, weight]);
const set = (words: string): ReadonlySet<string> => new Set(split(words));

const english: SentimentWords = {
  values: new Map([
    ...weigh(
      1,
      'thanks thank please good nice glad okay fine welcome pleased helpful appreciate sure happy works worked',
    ),
    ...weigh(1, 'kind easy quick clear better sorted solved resolved fixed correct enjoy luck help helped'),
    ...weigh(
      2,
      'great perfect lovely excellent wonderful brilliant fantastic awesome amazing superb delighted grateful',
    ),
    ...weigh(2, 'love best impressed relief relieved marvellous terrific'),
    ...weigh(-1, 'problem problems issue trouble wrong broken lost late delay delayed error failed fail slow confused'),
    ...weigh(
      -1,
      'unfortunately difficult hard worried worry concerned stuck cannot unable missing bad complain cancel',
    ),
    ...weigh(-1, 'annoying annoyed disappointed disappointing unhappy upset waste waiting poor overcharged damaged'),
    ...weigh(-2, 'terrible awful horrible ridiculous unacceptable angry furious useless disgusting appalling rude'),
    ...weigh(-2, 'frustrated frustrating worst hate outrageous pathetic incompetent stupid idiot scam joke nightmare'),
  ]),
  negators: set('not no never without hardly nothing'),
  stronger: set('very really so extremely absolutely totally completely incredibly'),
};

const german: SentimentWords = {
  values: new Map([
    ...weigh(1, 'danke dank bitte gut gute guten gerne gern schon schone schonen freut freue hilfreich hilft geholfen'),
    ...weigh(
      1,
      'zufrieden freundlich nett klar einfach schnell richtig erledigt gelost geklart funktioniert klappt okay',
    ),
    ...weigh(2, 'super prima toll perfekt wunderbar ausgezeichnet hervorragend klasse spitze fantastisch begeistert'),
    ...weigh(2, 'herzlichen erleichtert bestens genial'),
    ...weigh(-1, 'problem probleme fehler falsch kaputt verloren spat verspatung verzogerung leider schwierig storung'),
    ...weigh(
      -1,
      'sorge sorgen fehlt schlecht schlechte beschwerde beschweren kundigen kundigung warten gewartet argerlich',
    ),
    ...weigh(-1, 'enttauscht unzufrieden genervt beschadigt defekt umstandlich verwirrt'),
    ...weigh(
      -2,
      'furchtbar schrecklich unverschamt unverschamtheit frechheit wutend sauer nutzlos inakzeptabel unmoglich',
    ),
    ...weigh(
      -2,
      'katastrophe schlimmste betrug abzocke lacherlich skandal zumutung idiot unfahig frustriert frustrierend',
    ),
  ]),
  negators: set('nicht kein keine keinen keiner keinem nie niemals ohne kaum nichts'),
  stronger: set('sehr wirklich so total absolut vollig echt ausserst besonders unglaublich'),
};

const spanish: SentimentWords = {
  values: new Map([
    ...weigh(1, 'gracias bien bueno buena buenos buenas amable gusto claro contento contenta ayuda ayudado resuelto'),
    ...weigh(
      1,
      'solucionado solucionada correcto facil rapido tranquilo tranquila funciona agradezco vale listo arreglado',
    ),
    ...weigh(2, 'perfecto perfecta excelente genial estupendo maravilloso maravillosa fantastico encantado encantada'),
    ...weigh(2, 'fenomenal increible agradecido agradecida impresionado'),
    ...weigh(-1, 'problema problemas error errores mal malo mala roto perdido tarde retraso demora fallo falla averia'),
    ...weigh(
      -1,
      'lamentablemente dificil preocupado preocupada falta queja reclamar reclamacion cancelar esperando espera',
    ),
    ...weigh(-1, 'molesto molesta decepcionado decepcionada danado danada confundido lento'),
    ...weigh(
      -2,
      'terrible horrible ridiculo inaceptable enfadado enfadada furioso furiosa enojado enojada inutil verguenza',
    ),
    ...weigh(-2, 'pesimo pesima estafa fatal harto harta indignante desastre peor frustrado frustrada idiota grosero'),
  ]),
  negators: set('no nunca jamas sin nada tampoco apenas'),
  stronger: set('muy tan realmente totalmente absolutamente super demasiado completamente'),
};

const russian: SentimentWords = {
  values: new Map([
    ...weigh(1, 'спасибо благодарю пожалуйста хорошо хороший хорошего хорошая рад рада удобно помогли помог помогла'),
    ...weigh(1, 'понятно ясно быстро легко решено решили исправили работает заработало доволен довольна приятно ладно'),
    ...weigh(
      2,
      'отлично прекрасно замечательно великолепно супер чудесно идеально классно восторге огромное превосходно',
    ),
    ...weigh(
      -1,
      'проблема проблемы проблему ошибка ошибки неправильно неверно сломался сломалось сломан потерял потеряла',
    ),
    ...weigh(
      -1,
      'поздно задержка задержки сожалению трудно сложно плохо плохой беспокоюсь жалоба жаловаться жду ждать',
    ),
    ...weigh(-1, 'недоволен недовольна разочарован разочарована неудобно отменить неполадки поврежден'),
    ...weigh(
      -2,
      'ужасно ужасный ужас безобразие кошмар возмутительно отвратительно злюсь бешенстве бесполезно хамство',
    ),
    ...weigh(
      -2,
      'мошенники обман обманули развод издевательство худший ненавижу достали надоело возмущен возмущена идиот',
    ),
  ]),
  negators: set('не нет ни никогда без ничего вовсе'),
  stronger: set('очень так действительно совершенно абсолютно крайне полностью'),
};

export const SENTIMENT_WORDS: Record<ReadLanguage, SentimentWords> = {
  en: english,
  de: german,
  es: spanish,
  ru: russian,
};
