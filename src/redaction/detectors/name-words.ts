import { plainWord } from '../tokens.ts';

/** Somebody tells their name. */
export const FIRST_WORDS: readonly (readonly string[])[] = phrases(
  "my name is, my name's, name is, name's, the name is, the name's, my full name is, this is, i'm called, they call me, under the name of, under the name, in the name of, mein name ist, mein name lautet, ich heisse, hier ist, hier spricht, ich bin die frau, ich bin der herr, name ist, auf den namen, am apparat ist, me llamo, mi nombre es, soy, le habla, habla, hier schreibt, a nombre de, mi nombre completo es, меня зовут, мое имя, моя фамилия, зовут, это говорит, на имя, на фамилию, фамилия",
);
export const TITLES: ReadonlySet<string> = words(
  'fam familie mr mrs ms miss missus mister missis herr herrn frau señor señora señorita don doña sr sra господин госпожа гражданин гражданка',
);
/** Words that follow where a name might, and are none. */
export const NO_NAME_WORDS: ReadonlySet<string> = words(
  "name names named nombre apellido namen nachname vorname имя фамилия is was isn't ist es under which code zip postcode whoever want wanted lost need keeps kept " +
    'double barrelled hyphenated doppelname compuesto двойная calling ringing phoning about regarding customer client speaking new existing afraid happy glad interested wondering hoping still already having trouble problem order account card bill invoice number regards very really so too late early here there unhappy angry disappointed looking the a an for from with ' +
    'vom beim zum doktor doktorin kunde kundin neu neukunde neukundin rufe rufen anruf wegen hallo guten tag morgen abend problem rechnung bestellung geboren nicht zufrieden unzufrieden interessiert frage gerne tag es und von im bei ' +
    'cliente clienta nuevo nueva llamo llamaba llamando sobre por hola buenos buenas días tardes nacido nacida problema pedido factura titular propietario propietaria madre padre hijo hija autónomo jubilado responsable encargado ' +
    'клиент клиентка звоню по поводу насчёт здравствуйте добрый день вечер родился родилась проблема заказ новый новая насчет хочу хотел хотела у в на ' +
    'email mail telephone phone telefon teléfono телефон почта correo address adresse dirección адрес born',
);

function phrases(list: string): string[][] {
  return list.split(', ').map((phrase) => phrase.split(' ').map(plainWord));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').filter(Boolean).map(plainWord));
}
