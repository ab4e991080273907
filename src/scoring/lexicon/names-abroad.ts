import { plainWord } from '../../model/text/tokens.ts';
import type { ReadLanguage } from '../languages/language.ts';

/** Given names that are common where these languages are spoken; those that are everyday words as well are left out. */
const NAMES: Record<Exclude<ReadLanguage, 'en'>, string> = {
  de: `achim adelheid agnes aleksandra alexander alexandra alfred ali alina alois amelie amir andrea andreas angela anita anja anke
    anna anne annegret annika anton antonia armin arne astrid aylin ayse barbara bastian beate beatrice ben benedikt benedikta
    benjamin bernd bernhard bettina bianca birgit birte björn boris brigitte bruno carina carla carmen carolin carsten cem
    charlotte christa christian christiane christina christine christof christoph clara claudia claus clemens conny corinna
    corinne cornelia dagmar daniel daniela david denise dennis diana dieter dirk dominik dorothea doris dörte eberhard eckhard
    edith elena elisabeth elke ella emil emilia emma erich erik erika erwin esther eva evelyn fabian fatma felix ferdinand fiona
    florian franz franziska friedrich fritz gabi gabriele georg gerd gerda gerhard gisela gregor greta günter günther gustav
    hanna hannah hannelore hannes hans harald hartmut heike heiko heidi heinz heinrich helena helga helmut hendrik henning
    henrik herbert hermann hilde holger horst hubert ilse ines inga inge ingo ingrid irene iris irina isabel isabella jakob jan
    jana janina janine jannik jasmin jens jessica joachim jochen johanna johannes jonas jörg josef judith jülide julia julian
    juliane jürgen jutta kai karen karin karl karla karsten kathi katharina kathrin katja katrin kevin kirsten klaus konrad
    konstantin kristina lara lars laura lea lena leon leonie leni lina linda lisa lorenz lotte lothar lucas luisa lukas luzia
    lydia maik maja manfred manuel manuela marc marcel marco maren margarete margit maria marianne marie marina mario marion
    markus marlene marta martha martin martina mathias mathilda matthias maximilian maya mehmet melanie mia micha michael
    michaela mike mila miriam mona monika monique moritz mustafa nadine nadja natalie natascha nele nicola nicole niklas nikolai
    nils nina nora norbert olaf ole oliver olivia otto ottmar pascal patricia patrick paul paula pauli peter petra philipp pia
    rainer ralf ralph ramona raphael rebecca regina reinhard renate reto richard rita robert robin roland rolf roman romy ronny
    rosi rosemarie rudi rudolf rüdiger ruth sabine sabrina samira samuel sandra sara sarah sascha sebastian selin silke silvia
    simon simone sina sofia sonja sophia sophie stefan stefanie steffen steffi stephan stephanie susanne susi sven svenja sylvia
    tamara tanja tatjana theo theresa thomas thorsten tilo tim timo tina tobias tom torben torsten ulf uli ulrich ulrike ursula
    ute uwe valentin valentina vanessa vera verena veronika victoria viktor viktoria volker vreni vroni walter waltraud werner
    wiebke wilfried wilhelm wilma wolfgang yannick yasemin yusuf yvonne zeynep`,
  es: `abigail abril adela adolfo adrián adriana agustín agustina aída aitor alan alberto alejandra alejandro alfonso alfredo
    alicia alma almudena álvaro amalia amanda amparo ana anabel andrea andrés ángel ángela angélica anselmo antonia antonio
    araceli ariadna ariel armando arturo aurelio aurora azucena beatriz begoña belén benito benjamín berta blanca borja brenda
    bruno camila camilo carla carlos carlota carmen carolina catalina cecilia celeste césar christian clara claudia concha
    conchita constanza cristian cristina cristóbal damián daniel daniela darío david débora delia diana diego dolores dora
    edgar edgardo edith eduardo efraín elena elías elisa elsa elvira emilia emiliano emilio encarna enrique ernesto esteban
    estefanía estela ester esther eugenia eugenio eva evelyn ezequiel fabián fabiola facundo fátima federico felipe félix
    fernanda fernando fidel flor florencia francisca francisco gabriel gabriela genaro georgina gerardo germán gilberto ginés
    giovanni gisela gladys gloria gonzalo graciela gregorio guadalupe guillermo gustavo héctor hernán hilda horacio hugo
    humberto ignacio iker inés ingrid irene iria iris irma isabel isidro ismael iván ivana ivonne itziar jacinto jacobo jaime
    javier jazmín jerónimo jesica jessica jhon jimena joaquín joel jone jonathan jorge josé josefa josefina josué juan juana
    judith julia julián juliana julieta julio karen karina karla katherine laia lara laura leandro leidy leire leonardo leonor
    leticia leyre lidia liliana lina lorena lorenzo lourdes lucas lucero lucía luciana luciano luis luisa luisina macarena
    magdalena maite manuel manuela marcela marcelo marco marcos margarita maría mariana mariano maribel maricarmen maricel
    mariela marina mario marisa marisol marta martín martina mateo matías mauricio mauro maximiliano mayra melina melisa
    mercedes mica micaela miguel milagros mireia miriam moisés mónica montserrat nadia natalia nerea nelson nicolás nicole
    nieves nilda noelia nora norma nubia nuria octavio ofelia olga omar óscar osvaldo pablo paco paloma pamela paola patricia
    patricio paula paulina pedro pepe pepa rafael rafaela ramiro ramón raquel raúl rebeca renata ricardo rita roberto rocío
    rodolfo rodrigo rogelio rolando román romina ronald roque rosa rosalba rosalía rosana rosario rubén ruth salvador samanta
    samuel sandra santiago sara saúl sebastián selene sergio silvana silvia simón sofía soraya susana tamara tatiana teresa
    tomás úrsula valentín valentina valeria vanesa verónica vicente víctor viviana walter wendy wilmar wilson xavier ximena
    yadira yamila yanina yesica yolanda yuliana zoe zulema`,
  ru: `агата аглая адель айгуль айдар алан александр александра алексей алена алёна алина алиса алла альберт альбина альфия
    анастасия анатолий ангелина андрей анжела анжелика анна антон антонина анфиса аня арина аркадий арсен арсений артем артём
    артур ася богдан борис вадим валентин валентина валера валерий валерия ваня варвара василий василиса вася вероника виктор
    виктория виталий влад владимир владислав владлен всеволод вячеслав галина галя геннадий георгий герман глеб григорий
    гульнара давид дамир данил данила даниил дарья даша денис диана дима дина динара дмитрий ева евгений евгения егор екатерина
    елена елизавета ефим жанна захар зинаида зоя иван игорь илья ильдар инга инесса инна ира ирина кирилл клавдия константин
    кристина ксения лариса лейла лена леонид леся лида лидия лина лиза лия людмила ляйсан макар максим
    маргарита марат марина мария марьяна матвей маша милана милена мирослава михаил миша наташа наталия
    наталья натэла настя никита николай ника нина нонна оксана олег олеся ольга оля павел петр пётр полина рамиль раиса
    регина рената ринат рита родион ростислав руслан рустам савелий саша светлана сева семен семён сергей
    сергій серёжа снежана софия софья соня станислав стас степан таисия тамара таня татьяна тимофей тимур тихон ульяна фаина
    фарид федор фёдор филипп эдуард элина элла эльвира эльмира эмма эмиль юлиана юлия юля юра юрий яков ян яна ярослав`,
};

const sets = new Map(
  Object.entries(NAMES).map(([language, names]) => [language, new Set(names.split(/\s+/u).map(plainWord))]),
);

/** Whether a word, plain as words are read, is a given name in this language; none where it is not read. */
export function isNameIn(language: string | null, word: string): boolean {
  return language !== null && (sets.get(language)?.has(word) ?? false);
}
