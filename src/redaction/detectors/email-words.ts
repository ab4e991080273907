import { plainWord } from '../tokens.ts';

export const AT: ReadonlySet<string> = words(
  'at @ arroba aroba arrova klammeraffe affenschwanz ät ett aet et собака собачка собаку собачкой эт ат эт-знак',
);
export const DOT: ReadonlySet<string> = words('dot punkt pkt punto точка point period тчк');
export const JOINTS: ReadonlySet<string> = words(
  'dot punkt punto точка point period underscore unterstrich guion guión bajo medio подчёркивание подчеркивание нижнее hyphen dash minus bindestrich strich дефис тире plus',
);
export const TLDS: ReadonlySet<string> = words(
  'com net org edu gov info biz io co uk de at ch es ru su eu me us fr it nl pl mx ar cl pe online app dev email mail ком нет орг ру рф ю кей юкей kom ком инфо ди дэе ie ca au nz in by kz ua con example',
);
export const PROVIDERS: ReadonlySet<string> = words(
  'gmail googlemail geemail bigpond optusnet eircom rediffmail gmxnet bluewin hispavista telefonicanet ukr gmeil jimeil hotmail hot outlook yahoo icloud live msn aol proton protonmail gmx web tonline freenet posteo mailbox arcor mail yandex rambler bk inbox comcast verizon att btinternet btopenworld sky virginmedia virgin talktalk telefonica terra movistar jimejl джимейл гмейл гугл gmail яндекс яндэкс мейл майл мэйл рамблер аутлук хотмейл бк айклауд лист инбокс',
);
/** Before an `at` these are no part of an address: "you can find it at example dot com". */
export const NO_NAMES: ReadonlySet<string> = words(
  "it's that's that'd that'll i i'm i'll " +
    "it us them me you him her one look find shop order online website buy visit book here available page site is are was be more email mail address at to on in and or the a that this see read go check out up anything everything prices products work works working arrive arrived started meet back home there store stored listed sold my so yes yeah yep sure ok okay um uh er erm well right send please reach write just would could best don't laugh its our your his for if can same as capital all lower case one word together spelled spelt called contact username sending oh " +
    'ist es sie uns mich dich auf bei im adresse und oder die der das finden seite meine mein lautet ja gern gerne also ähm äh an schicken senden bitte genau dann ich wäre war unter zusammen alles klein kleingeschrieben geschrieben wort moment schreiben ihr ihre unsere warten sie mal ' +
    'es lo la en el y o pagina página correo dirección nos encontrar sí si mi su al a pues claro vale eh bueno apunte anote todo junto minúsculas minúscula mande mándelo envíe envíelo escriba con sería seria email imeil mail esta este electrónico espere ' +
    'это на и или адрес почта сайт нас найти моя мой мне да ну так записывайте пишите вот э ээ сейчас почты имейл мейл электронная электронный слитно все всё маленькими буквами отправьте присылайте можно у меня такая такой смешной',
);
/** How the name is written, said behind it: "ivan montoro todo junto arroba". */
export const REMARKS: ReadonlySet<string> = words(
  'pegado pegadito seguido corrido подряд all one word together lowercase alles zusammen zusammengeschrieben klein kleingeschrieben todo junto minúsculas слитно вместе маленькими буквами',
);
/** Mailboxes that are no person's. */
export const ROLE_MAILBOXES: ReadonlySet<string> = words(
  'info support service services help helpdesk hello contact office sales team billing accounts admin enquiries inquiries bookings booking reservations customerservice customercare care complaints claims returns orders feedback press jobs kontakt kundenservice kundendienst buchhaltung vertrieb bestellung bestellungen rechnung reklamation termine anfrage mail post reservas atencion atencionalcliente clientes ventas soporte ayuda contacto facturacion pedidos hola citas pomosch zakaz client clients otdel поддержка инфо помощь заказ',
);
/** Whose address it is: "write to us", "schreiben Sie uns". */
export const US: ReadonlySet<string> = words(
  'us our we uns unsere unser unserer unseren unserem wir nos nuestro nuestra nuestros nosotros escribirnos contactarnos escribanos escríbanos нам нас наш наша нашу нашей мы',
);
/** Somebody asks where to send something. */
export const EMAIL_SENDING: RegExp =
  /^(?:send|sending|email|emailed|forward|schick.*|send.*|mailen|maile|zuschick.*|zusend.*|mando|mandamos|envio|enviamos|envie|enviarle|mandarle|mandar|выслать|вышлю|отправить|отправлю|прислать|пришлю|скинуть|направить|spell|buchstabier.*|deletre.*|буквам)$/u;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').filter(Boolean).map(plainWord));
}
