import type { RedactionKind } from '../../model/redaction.ts';
import { plainWord } from '../../model/text/tokens.ts';
import { phrases } from './accusations/accusation-book.ts';

type SecretKind = Extract<RedactionKind, 'card_number' | 'security_code' | 'pin' | 'password' | 'national_id'>;

/** What a secret is called, in English, German, Spanish and Russian. */
export const SECRET_LABELS: Record<SecretKind, readonly string[]> = {
  card_number: phrases(`
      card number, the card, your card, long number, visa, mastercard, kartennummer, die karte, ihre karte,
      kreditkarte, ec karte, karte mit der nummer, número de tarjeta, tarjeta, la tarjeta, tarjeta número,
      номер карты, карту, карта, ваша карта
    `),
  security_code: phrases(`
      security code, verification code, cvv, cvc, c v v, c v c, digits on the back, numbers on the back,
      figures on the back, digits, three digits, code on the back, access code, prüfziffer, prüfnummer,
      kartenprüfnummer, sicherheitscode, sicherheitsnummer, ziffern hinten, zahlen hinten, ziffern auf der rückseite,
      tan, puk, ihre puk, código de seguridad, código de atrás, código de detrás, números de atrás, cifras de atrás,
      código de verificación, token, код безопасности, цифры на обороте, цифры сзади, код на обороте,
      код с обратной стороны, си ви ви, цвв, cvv код, код из смс, код подтверждения
    `),
  pin: phrases(`
      pin, pin number, pin code, your pin, geheimzahl, pin nummer, neue pin, nip, el pin, su pin, clave,
      clave secreta, пин, пин код, пинкод
    `),
  password: phrases(`
      password, passcode, passphrase, code word, memorable word, login, passwort, kennwort, losungswort, codewort,
      zugangsdaten, contraseña, clave, palabra clave, clave de acceso, пароль, кодовое слово
    `),
  national_id: phrases(`
      social security, social security number, your social, ssn, national insurance, national id, passport number,
      passport, driving licence, drivers license, ausweisnummer, personalausweis, reisepass, reisepassnummer,
      passnummer, steuer id, steueridentifikationsnummer, sozialversicherungsnummer, rentenversicherungsnummer,
      ahv nummer, dni, nie, nif, curp, rfc, cédula, pasaporte, documento, el documento, número de documento,
      número de identidad, seguridad social, паспорт, паспорт серия, серия паспорта, снилс, инн, серия, номер паспорта
    `),
};

/** With one of these before it a number is something else, or a part that may be said. */
export const NOT_SECRETS = phrases(`
      ends in, ending in, ending, last four, last 4, last digits, postal, postcode, post code, zip, voucher, discount,
      promo, coupon, order number, order, tracking, booking, reference, confirmation, invoice, case number, loyalty,
      gift card, membership, phone number, account number, meter, extension, office, area code, dialling code, product key, product code,
      country code, door, gate, wifi, guest, bar code, at least, must have, has to have, has to be, valid, up to,
      never read, characters, endet auf, endet, letzten vier, letzte vier, postleitzahl, gutscheincode, gutschein,
      rabattcode, rabatt, bestellnummer, auftragsnummer, kundennummer, vorwahl, mindestens, muss, gästezugang, wlan,
      zeichen, belegung, pinbelegung, stecker, produktschlüssel, termina en, acaba en, últimos cuatro, últimas cuatro, código postal, descuento, código de descuento,
      número de pedido, pedido, referencia, tiene que tener, al menos, caracteres, cupón, del producto, de producto, prefijo, заканчивается,
      последние четыре, почтовый, индекс, промокод, скидка, номер заказа, заказа, телефон, должен быть, не короче,
      знаков, код города, ключ продукта, код товара, гостевой
    `);

/** Right before a secret, these say that it is one. */
export const SAYING_WORDS = words('is was be reads ist war lautet folgendes es era siguiente это был будет такой');

/** What the code of a card may be called besides, until it is said. */
export const CARD_CODE_WORDS = words(`
      it then number code on of for the your card back reverse side auf der die das dem ihr ihre ihrer karte rückseite
      hinten la el su de del tarjeta atrás detrás dorso reverso ваш ваша вашей карты карте на обороте
    `);

/** "Your password is in Office365", "bei Shop24": where it is kept, or what it is for, and not the password. */
export const PLACE_WORDS = words('in on at for with via im bei auf für mit en para por con в во через');

/** After "Ihr Passwort ist" and "su contraseña es" these say something about it, as English ones do (compliance.ts). */
export const NOT_PASSWORDS_ABROAD = words(`
      der die das ein eine kein keine nicht nur noch nun jetzt hier dort da in im an am auf bei mit zu zum für von per wie was
      so sehr leider wieder schon immer nie abgelaufen falsch richtig ungültig gültig gesperrt sicher unsicher stark
      schwach neu alt gleich dasselbe derselbe lang kurz länger kürzer leer nötig notwendig erforderlich geändert
      gesetzt gespeichert verschlüsselt hinterlegt geheim persönlich privat vertraulich wichtig bekannt unbekannt ihnen
      ihr sie ich wir es er mindestens
      la el lo los las un una uno no ni solo ya aún muy demasiado tan así en de para por con su sus mismo misma igual
      correcto correcta incorrecto incorrecta válida inválida segura insegura personal secreta privada necesaria
      obligatoria larga corta nueva vieja distinta diferente débil fuerte única temporal donde cuando como usted yo él ella
    `);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/u).map(plainWord));
}
