import { plainWord } from './tokens.ts';

/** Words around an answer that are not part of it: "yeah course it's …", "das müsste glaub ich … gewesen sein". */
export const SMALL_TALK: ReadonlySet<string> = words(
  "a about actually again ages ago ah all alright also always am an and any anyway are as at be because been believe blimey bit both but can can't capital characters come comes course could count dear definitely did do does done easy entirely er erm exactly ever everything everyone eh fine first fifth fourth second third sixth seventh eighth last for from gave get god goodness got gonna guess had hang has have he hear her here him his hm hmm hold honestly i i'd i'll i'm i've if in is it it'd it'll it's its just know knew kind let like little look looking made make maybe me mean might mine minute mm moment my myself neither never no nope not now of off oh ok okay old on one ones only open or our out password pin code word passphrase perhaps phrase picked please position probably put quite read reckon right said same say says second see set she should so some something sorry spelled spelt still suppose sure tell than thank thanks that that'd that'll that's the their them then there they think this tried try trying two type typed typing um up use used uses uh was wait we we've well went were what which whole will with word would wrote yeah yep yes yet you your question answer secret husband wife character letter digit number lower case upper small letters together joined capitals here's there's then let's " +
    'aber ach alle alles also am an ähm auch auf aus bei bin bitte buchstabe da dann das dass dem den der des die dieses doch dritte drei ein eine einen eins einer einfach entweder er erste ersten es fünfte für gerade gern genau gewesen glaub glaube groß großem hab habe haben hat hatte halt hier hm ich ihnen ihr im immer in ist ja jetzt jawohl kann kennwort klar klein kleingeschrieben geschrieben großgeschrieben zusammen kurz lautet laß lassen letzte letzten mal man mein meine meinem meinen mein mich mir mit moment moooment müsste müßte muss na nach nachschauen natürlich nee nein nicht noch nochmal nun nur ob oder oh okay passwort pin schauen schon sein sekunde sie sind so sollte stelle stellen steht tippe und uns vielleicht vierte von vorne war waren warten wart warte was weiß weil wenn wie wir wird wohl wort würde zahl zeichen ziffer zu zuletzt zum zweite zwei sagen sag gesagt eingegeben probiert versucht beides beiden bleibt passt stimmt super prima nehme nehmen nimmt mann frau damals mensch gott ' +
    'a acá acuerdo ah ahí ahora al algo apuntada apuntado aquí así aun ay bien bueno busco casi cierto claro clave como con contraseña creía creo cuarta cuarto cuál de debe debería decía deja déjame dejar del desde después dice digo donde e el él ella ello en entonces era eran eres es esa ese eso espera espere esta está estaba estar este esto exacto favor fue gracias ha había hay he igual junto la las le letra lo los luego me mejor mi mía mío mira mire mismo misma momentito momento muy ni no nos o oiga ok okay otra otro palabra para parece pero pienso pin ponga pongo por porque posición primera primero puede pues puse pusimos puso que qué quizá quizás quinta quinto sale se sea segunda segundo seguro ser sería si sí siempre sin sino solo son soy su sus tal también te tener tengo tercera tercero ti tiene todo todos tu u uf un una unas uno unos última último va vale ver verdad vez vamos y ya yo minúscula minúsculas mayúscula mayúsculas cifra cifras número letras usé uso usamos utilizo puesta escrita escrito marido mujer ' +
    'а ага ах без бы был была были было быть в вам вас ведь верно вижу во возможно вообще вот все всё всегда вспомню вспоминаю вторая второй где да давайте два две для до должен должна должно ещё её его ей если есть же за запишите здесь и из или именно им имя их й к кажется как какая какой код кодовое конечно который контрольное которая ладно ли либо маленькая маленькими большими буква буквы буквами букв меня минуту минутку минуточку мне моё мое мой моя мы на надо наверное написано наш не него нет неё ни но ну о обычно ой он она они оно от ответ первая первый пароль пин по поняла понял погодите подождите пожалуйста последняя последний посмотрю похоже потом правильно придумали придумала придумал при про просто путаю пусть раз разве с с сейчас секунду секундочку себя сказать скажу слово слитно снова со спасибо стоит стояло так такая такое такой там тебя теперь тогда то того тоже только точно третья третий тут ты у уже угу хорошо цифра цифры четвёртая что чтобы э ээ эта эти это этот я был-то вроде значит муж жена писала писал поставила поставил помоему моему боже господи кстати запомнила записано записала записал ' +
    'to check checking find finding need give gives getting go ahead ask asking search searching dig grab fetch minutes bear patience suchen suche finden finde hole holen gucke gucken schaue schau nachsehen nachgucken frage frag fragen raussuchen heraussuchen sofort gleich erst buscar buscarla mirarlo mirarla dar dársela darle decir decírsela diré doy pregunto preguntar encuentro encontrar voy minutito segundito найду найти поищу гляну глянуть посмотреть дам дать открою возьму спрошу спросить ищу диктую ' +
    'sorry hello hi hallo hola алло здравствуйте',
);

/** A refusal to answer. */
export const REFUSALS: ReadonlySet<string> = words(
  "don't dont didn't doesn't cannot can't couldn't won't wouldn't haven't hasn't never not forgot forgotten forget rather refuse no-one nobody nothing idea why clue locked " +
    'nicht nie niemals kein keine keinen keins vergessen ahnung warum wieso nichts weigere ' +
    'olvidé olvidado olvidó olvidada nunca jamás recuerdo idea ninguna ningún nadie nada tampoco acuerdo ' +
    'никакое никакая никакие прочерк не забыл забыла забыли никогда никакого никакой нету зачем почему понятия нельзя никто ничего',
);
/** After these, an answer follows a refusal: "not sure, but I think it's …". */
export const RESUMES: ReadonlySet<string> = words(
  'but think maybe try tried guess might probably perhaps either aber glaube glaub vielleicht vermutlich probieren sonst entweder pero creo quizá quizás igual seguramente но кажется может наверное думаю вроде попробуйте either',
);
/** "If I am not mistaken": not a refusal. */
export const HEDGES: readonly (readonly string[])[] = [
  'not mistaken',
  'not wrong',
  'not sure',
  "don't laugh",
  'nicht irre',
  'nicht täusche',
  'nicht sicher',
  'nicht alles täuscht',
  'no me equivoco',
  'no recuerdo mal',
  'recuerdo mal',
  'recuerdo bien',
  'не путаю',
  'не ошибаюсь',
  'не перепутала',
  'не перепутал',
  'не изменяет',
  'не смейтесь',
].map((phrase) => phrase.split(' ').map(plainWord));
/** A question back. */
export const ASKS_BACK: ReadonlySet<string> = words(
  'what which why how whose who where when welches welche welcher was wie wieso warum wer wo wann wofür wozu cuál qué cómo por dónde para какой какое какая какую что где зачем почему как который',
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').filter(Boolean).map(plainWord));
}
