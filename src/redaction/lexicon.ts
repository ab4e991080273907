import { plainWord } from './tokens.ts';

/** What the words around a number say that it is. `other` is everything that is not personal data by itself. */
export type Topic = 'card' | 'code' | 'pin' | 'password' | 'id' | 'phone' | 'birth' | 'email' | 'other';

/**
 * Phrases that name what comes next: words in order, `*` for any ending. Of two that end at the same place the longer
 * one counts ("loyalty card" is no card).
 */
export const LEADS: Record<Topic, readonly string[]> = {
  card: list(
    'card number*, card details, credit card*, debit card*, bank card*, payment card*, long number, ' +
      'sixteen digit*, 16 digit*, number* on the front, number* on the card, number* on your card, my card, ' +
      'your card, new card, the card, visa, mastercard, master card, amex, american express, maestro, ' +
      'kartennummer*, kreditkarte*, kreditkartennummer*, karte, ec karte, girokarte, tarjeta*, número de tarjeta, ' +
      'карт*, номер* карт*, карточк*',
  ),
  code: list(
    'cvv*, cvc*, cv2, cid, c v v, c v c, security code*, security number, verification code*, ' +
      'verification value, digits on the back, numbers on the back, number on the back, three on the back, ' +
      'code on the back, one time code, one time password, one time passcode, passcode, authorisation code, ' +
      'authorization code, access code, secret code, prüfnummer, prüfziffer*, sicherheitscode, sicherheitsnummer, ' +
      'kartenprüfnummer, bestätigungscode, einmalcode, tan, código de seguridad, código de verificación, ' +
      'código cvv, dígitos de atrás, números de atrás, dígitos del reverso, код безопасности, код подтверждения, ' +
      'код на обороте, трёхзначн* код, код с обратной, код из смс, цифры на обороте, свв, цвц, си ви ви',
  ),
  pin: list(
    'pin, pin number, pin code, p i n, personal identification number, telephone banking number, geheimzahl, ' +
      'geheimnummer, pin nummer, número secreto, clave, código secreto, número pin, пин, пин код*, пинкод*, ' +
      'кодов* слов*',
  ),
  password: list('password, pass phrase, passphrase, pass word, passwort, kennwort, contraseña, парол*'),
  id: list(
    'social security*, social security number, social insurance number, my social, your social, ssn, s s n, ' +
      'national insurance*, ni number, nino, national id*, national identity*, identity card*, id card*, ' +
      'identification number, tax id*, tax number, taxpayer*, passport*, driving licen*, drivers licen*, ' +
      "driver's licen*, steuer id*, steueridentifikationsnummer*, steuer identifikationsnummer*, " +
      'steuerliche identifikationsnummer*, steuernummer*, identifikationsnummer*, idnr, ' +
      'sozialversicherungsnummer*, rentenversicherungsnummer*, personalausweis*, ausweisnummer*, reisepass*, ' +
      'passnummer*, führerschein*, dni, d n i, nie, documento nacional*, documento de identidad, ' +
      'número de identidad, número de identificación, pasaporte*, carnet de conducir, паспорт*, снилс, серия, ' +
      'серия и номер, инн, водительск* удостоверен*',
  ),
  phone: list(
    'phone, phone number*, telephone*, telephone number*, mobile*, mobile number*, cell, cell phone*, ' +
      'cellphone*, landline*, fax*, whatsapp, call me, call you, call her, call him, call us, call them, ' +
      'call back*, callback*, ring me, ring you, reach me, reach you, reach us, reach her, reach him, text me, ' +
      'text you, contact number*, contact me, best number, good number, my number, your number, his number, ' +
      'her number, work number, home number, office number, number to reach, number to call, ' +
      "number you are calling from, number you're calling from, dial*, telefon*, telefonnummer*, handy*, " +
      'handynummer*, rufnummer*, mobilnummer*, rückruf*, festnetz*, zurückrufen, anrufen, erreichbar, ' +
      'meine nummer, ihre nummer, vorwahl, teléfono*, móvil*, celular*, llámeme, llámame, llamarle, llamarme, ' +
      'mi número, su número, número de contacto, fijo, телефон*, мобильн*, сотов*, перезвон*, позвон*, мой номер, ' +
      'ваш номер, номер для связи, номер телефон*',
  ),
  birth: list(
    'born, born on, born in, date of birth, dates of birth, birth date*, birthdate*, birthday*, birth day, dob, ' +
      'd o b, year of birth, geboren*, geboren am, geburtsdatum*, geburtstag*, geburtsjahr*, nacido*, nacida*, ' +
      'nací*, nació, fecha de nacimiento, cumpleaños, дат* рождения, родил*, день рождения, дня рождения, ' +
      'год* рождения, рожден*',
  ),
  email: list(
    'email*, e mail*, mail address*, mailadresse*, mail adresse*, mail, correo*, correo electrónico, ' +
      'электронн* почт*, почт*, имейл*, мейл*, емейл*',
  ),
  other: list(
    'order, order number*, order id, reference*, reference number*, ref, tracking*, tracking number*, ' +
      'shipment*, parcel*, booking*, booking number*, reservation*, confirmation*, confirmation number*, ' +
      'confirmation code*, invoice*, invoice number*, receipt*, ticket*, ticket number*, case number*, case id, ' +
      'claim*, claim number*, account*, account number*, customer number*, customer id, member*, ' +
      'membership number*, policy, policy number*, serial*, serial number*, model*, model number*, part number*, ' +
      'meter*, meter number*, zip, zip code*, postal code*, post code*, postcode*, extension*, flight*, room*, ' +
      'error*, error code*, version*, product*, product code*, item*, item number*, article*, sku, imei, ' +
      'barcode*, sort code*, routing number*, contract*, transaction*, employee*, badge*, promo code*, ' +
      'discount code*, voucher*, coupon*, store number, job number*, request number*, service number*, ' +
      'loyalty card*, gift card*, library card*, membership card*, store card*, sim card*, graphics card*, ' +
      'clubcard*, bonus card*, case, price*, total, amount, balance, bestellnummer*, bestellung*, auftrag*, ' +
      'auftragsnummer*, kundennummer*, rechnung*, rechnungsnummer*, vorgangsnummer*, sendung*, sendungsnummer*, ' +
      'vertrag*, vertragsnummer*, kontonummer*, postleitzahl*, plz, zähler*, artikel*, artikelnummer*, ' +
      'seriennummer*, aktenzeichen, buchung*, buchungsnummer*, ticketnummer*, referenz*, kundenkarte*, ' +
      'zählernummer*, fehlercode*, gutschein*, pedido*, número de pedido, referencia*, número de referencia, ' +
      'factura*, número de factura, reserva*, número de reserva, seguimiento, número de seguimiento, cuenta*, ' +
      'contrato*, cliente*, número de cliente, código postal, expediente*, incidencia*, artículo*, modelo*, ' +
      'importe*, precio*, заказ*, номер заказ*, договор*, номер договор*, счет*, номер счет*, накладн*, ' +
      'отправлен*, трек*, лицев*, заявк*, номер заявк*, обращени*, индекс*, артикул*, брон*, билет*, рейс*, ' +
      'сумм*, цен*, карта лояльности, бонусн* карт*, дисконтн* карт*',
  ),
};

/** Said between the parts of one number, by whoever says it. */
export const FILLERS = words(
  'uh um er erm ah hm hmm mm and then dash hyphen minus space slash again so next followed by okay ok yes yeah yep right is like well let me see ' +
    'äh ähm hm und dann strich bindestrich minus ja genau gut also weiter eh y luego después guión espacio sí vale bueno este ' +
    'э ээ эм мм и потом затем дальше далее тире минус да так ну хорошо угу ага',
);

/** What a listener says meanwhile: a segment of nothing else does not end what the other one is saying. */
export const ACKNOWLEDGEMENTS = words(
  'mm hmm hm mhm mmhmm uh huh aha yes yeah yep yup okay ok right sure good great perfect thanks thank you got it go on ahead continue alright all correct i see and next please noted fine ' +
    'ja genau gut danke okay mhm weiter bitte verstanden notiert richtig stimmt sí vale bien perfecto gracias ajá siga adelante continúe correcto claro entendido ' +
    'да так хорошо угу ага спасибо понятно понял поняла записываю записал записала дальше верно слушаю продолжайте минуту',
);

/** A number before or after one of these counts or measures something. */
export const UNITS_AFTER = words(
  'dollar dollars pound pounds quid euro euros cent cents pence bucks grand percent minute minutes hour hours second seconds day days week weeks month months year years ' +
    "am pm a.m p.m oclock o'clock times people person kilometers kilometres miles meters metres feet inches kilos grams liters litres gigabytes gigabyte gb mb megabytes megabit megabits degrees items pieces boxes units points thousand million millions billion hundred " +
    'prozent minuten stunden stunde tage tagen wochen woche monate monaten jahre jahren uhr kilometer meter stück mal personen tausend million millionen milliarden ' +
    'dólares pesos céntimos minutos horas días semanas meses años veces personas metros kilómetros unidades millones mil millón por ciento ' +
    'рублей рубля рубль копеек копейки долларов евро процентов процента минут минуты минуту часов часа час дней дня день недель недели месяцев месяца лет года год раз штук человек метров километров тысяч тысячи миллионов',
);

/** The figure before one of these says how many figures something has. */
export const COUNTED = words(
  "digit digits figures figure numbers characters letters digit's attempts stellig stellige stelligen stelliger ziffern zahlen zeichen cifras dígitos números caracteres цифр цифры цифра знаков символов значный значного",
);

export const CURRENCY_SIGNS: RegExp = /[$£€¥₽%]\s*$/;

/** Phrases between commas. */
function list(phrases: string): readonly string[] {
  return phrases.split(', ');
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainWord));
}
