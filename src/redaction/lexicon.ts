import { plainWord } from './tokens.ts';

/** What the words around a number call it. `other` is everything that is not personal data by itself. */
export type Topic =
  | 'card'
  | 'expiry'
  | 'code'
  /** A code without further description: the context tells whether it is a secret. */
  | 'someCode'
  | 'pin'
  | 'password'
  | 'id'
  | 'phone'
  | 'birth'
  | 'email'
  | 'iban'
  | 'account'
  | 'address'
  | 'name'
  | 'other';

/**
 * Phrases that name what comes next: words in order, `*` for any ending. Of two that end at the same position, the
 * longer one counts ("loyalty card" is not a payment card).
 */
export const LEADS: Record<Topic, readonly string[]> = {
  card: list(
    'card number*, card details, credit card*, debit card*, bank card*, payment card*, long number, ' +
      'sixteen digit*, 16 digit*, number* on the front, number* on the card, number* on your card, my card, ' +
      'your card, new card, the card, visa, mastercard, master card, amex, american express, maestro, ' +
      'kartennummer*, kreditkarte*, kreditkartennummer*, karte, ec karte, girokarte, tarjeta*, número de tarjeta, ' +
      'карт*, номер* карт*, карточк*, ' +
      'dieciséis dígitos, dieciséis cifras, dieciseis números, los 16, шестнадцать цифр, 16 цифр, шестнадцатизначн* номер, лицевой стороне, sechzehn ziffern, ' +
      '16 ziffern, sechzehnstellig*, sixteen digits, sixteen numbers, 16 digits, sixteen figures, long card number, full card number, card no, diners club, diners, discover card, unionpay, which card, what card, card for the, a card, visakarte, ' +
      'karten nummer, kredit karte, zahlungskarte, bankkarte, debitkarte, número largo, numeración de la tarjeta, мир, ' +
      'мастеркард, виза, маэстро',
  ),
  code: list(
    'cvv*, cvc*, cv2, cid, c v v, c v c, security code*, security number, verification code*, ' +
      'verification value, digits on the back, numbers on the back, number on the back, three on the back, ' +
      'code on the back, one time code, one time password, one time passcode, passcode, authorisation code, ' +
      'authorization code, access code, secret code, prüfnummer, prüfziffer*, sicherheitscode, sicherheitsnummer, ' +
      'kartenprüfnummer, bestätigungscode, einmalcode, tan, código de seguridad, código de verificación, ' +
      'código cvv, dígitos de atrás, números de atrás, dígitos del reverso, код безопасности, код подтверждения, ' +
      'код на обороте, трёхзначн* код, код с обратной, код из смс, цифры на обороте, свв, цвц, си ви ви, ' +
      'ccv*, civvy, cvd, c c v, c v p, see vee vee, three digits, three digit code, last three digits, last three, ' +
      'little number, small number, digits at the back, numbers at the back, signature strip, on the back, on the reverse, ' +
      'onetime code, one time pin, otp, o t p, passcode we sent, login code, log in code, sign in code, text code, sms code, ' +
      'verify code, confirmation pin, six digit code, 6 digit code, four digit code, 4 digit code, five digit code, ' +
      'eight digit code, digit code, activation code, authentication code, two factor code, code we sent, ' +
      'code i sent, code that we sent, code i just sent, sent you a code, text you a code, text message, ' +
      'ze vau ze, c v v nummer, cvv nummer, kartenprüfziffer, kontrollnummer, kontrollziffer*, ' +
      'drei ziffern, dreistellig*, vierstellig* code, letzten drei ziffern, auf der rückseite, hinten drauf, hintendrauf, sms code, tan nummer, ' +
      'mobile tan, smstan, freischaltcode, aktivierungscode, verifizierungscode, sicherheits code, einmal code, ' +
      'einmalkennwort, bestätigungs code, zugangscode, sechsstellige* code, code aus der sms, ' +
      'code geschickt, ce uve uve, se uve se, ce ve ve, c uve uve, tres cifras, tres números, ' +
      'tres numeritos, tres dígitos, tres últimas cifras, últimos tres, código de atrás, por detrás, detrás pone, ' +
      'de detrás, al dorso, reverso, código que le, código de un solo uso, clave de un solo uso, clave dinámica, ' +
      'código de activación, código de acceso, código de confirmación, código de autorización, código sms, ' +
      '' +
      'clave de verificación, código del sms, mensaje con, цвк, цэ вэ ка, цвв, си ви си, си ви ви код, три цифры, ' +
      'трех цифр, последние три цифры, с обратной стороны, на обратной стороне, на обороте, возле подписи, код активации, ' +
      'код из сообщения, код из эсэмэс, код из пуш*, код доступа, одноразов* код, одноразов* парол*, код авторизации, ' +
      'проверочн* код, код проверки, код пришел, пришел код, код пришло, отправила вам код, ' +
      'отправил вам код, смс код, смс с кодом, text say*, message say*, does it say, read the text, read me the text, read out the text, read me the message, sms vor, ' +
      'nachricht vor, steht in der sms, steht in der nachricht, steht da drin, dice el mensaje, dice el sms, pone el mensaje, pone en el mensaje, ' +
      'pone el sms, что в смс, что пришло, что в сообщении, что там написано, four digits on the front, four numbers on the front, four on the front, vier ziffern vorne, cuatro cifras delante, ' +
      'cuatro dígitos delante, cuatro números delante, четыре цифры спереди, ' +
      'number on the front of the amex, texted you a code, sent a code, emailed you a code, code to your, code by text, code per sms, code auf ihr, code aufs, ' +
      'код в смс, код по смс, код по почте, код на телефон, код на почту',
  ),
  someCode: list(
    'code, codes, the code, your code, my code, den code, der code, einen code, dem code, código, el código, un código, su código, ' +
      'del código, код*, ваш код, с кодом, token, токен*',
  ),
  pin: list(
    'pin, pin number, pin code, p i n, personal identification number, telephone banking number, geheimzahl, ' +
      'geheimnummer, pin nummer, pinn, pinnummer, pin code, pincode, número secreto, código secreto, número pin, пин, ' +
      'пин код*, пинкод*, пин кода, pin number, passcode, pass code, alarm code, alarm panel, door code, gate code, ' +
      'access pin, unlock code, voicemail code, voicemail pin, safe code, the safe, my safe, telephone pin, ' +
      'tresor*, safe, alarmanlage*, alarmcode*, türcode*, geheim zahl, geheimcode, telefon pin, telefonpin, mailbox pin, ' +
      'geräte pin, sperrcode, entsperrcode, caja fuerte, código de la alarma, código de la puerta, código de desbloqueo, ' +
      'pin de acceso, сейф*, сигнализац*, домофон* код, код домофон*, код от сейф*, код от двери, ' +
      'код разблокировки, графическ* ключ',
  ),
  password: list(
    'password*, pass phrase, passphrase, pass word, past word, pass ward, pas word, passwort*, pass wort, kennwort*, ' +
      'kenn wort*, contraseña*, contra seña, contra sena, con traseña, парол*, пороль, memorable word, memorable answer, ' +
      'memorable place, memorable name, memorable information, security word, security answer, security question*, ' +
      'secret word, secret answer, secret question*, secret phrase, safe word, code word, codeword, key word, keyword, ' +
      'login phrase, wifi key, wi fi key, network key, network password, encryption key, verbal password, ' +
      "mother's maiden name, mothers maiden name, maiden name, first pet, first school, favourite food, favorite food, " +
      'name of your pet, pet name, memorable date, for the wifi, beim wlan, im wlan, ins wlan, para el wifi, для вайфая, watch word, watchword, magic word, login details, sign in phrase, ' +
      'kundenkennwort*, telefonkennwort*, telefonpasswort*, telefon passwort, codewort*, code wort, kodewort*, ' +
      'losungswort*, losung, schlüsselwort*, geheimwort*, geheimes wort, sicherheitswort*, sicherheitsfrage*, ' +
      'sicherheitsantwort*, geheimfrage*, passphrase, passsatz, mädchenname*, mädchen name*, geburtsname*, erstes haustier, ' +
      'ersten haustier*, lieblingsessen, ' +
      'wlan schlüssel*, wlan key, netzwerkschlüssel*, einmalpasswort*, zugangswort*, stichwort, kundenwort, clave, claves, ' +
      'clave de acceso, palabra clave, palabra secreta, palabra de seguridad, palabra de paso, palabra mágica, ' +
      'frase de paso, frase secreta, frase de seguridad, frase clave, pregunta de seguridad, pregunta secreta, ' +
      'respuesta de seguridad, respuesta secreta, santo y seña, seña, apellido de soltera, primera mascota, ' +
      'nombre de su mascota, comida favorita, primer colegio, clave del wifi, clave wifi, пасворд, ' +
      'кодов* слов*, кодов* сл*, кодов* фраз*, секретн* слов*, секретн* фраз*, секретн* вопрос*, секретн* ответ*, ' +
      'контрольн* слов*, контрольн* вопрос*, контрольн* фраз*, ключев* слов*, ключев* фраз*, проверочн* слов*, ' +
      'тайн* слов*, девич* фамили*, кличк*, первого питомца, любим* блюд*, слово пароль',
  ),
  expiry: list(
    'expiry, expiry date, expires, expire, expiring, expiration, expiration date, exp, exp date, valid till, valid until, ' +
      'valid through, valid thru, valid to, good until, good through, good till, good thru, goes out, runs out, end date, ' +
      'läuft ab, läuft, ablauf, ablaufdatum, abläuft, verfallsdatum, verfällt, gültig bis, gültigkeit, gültigkeitsdatum, ' +
      'gültigkeitsende, gilt bis, vence, vencimiento, fecha de vencimiento, vencen, caduca, caducidad, ' +
      'fecha de caducidad, expira, fecha de expiración, válida hasta, válido hasta, valida hasta, vigencia, fecha, ' +
      'срок действия, срок, действует до, действительна до, действительна по, действует по, годна до, годен до, истекает, ' +
      'написано до, заканчивается в, карта до',
  ),
  iban: list(
    'iban*, i b a n, eye ban, i ban, ibahn, international bank account number, ибан*, айбан*, iban nummer, ' +
      'número iban, номер iban, и бан, ай бан',
  ),
  account: list(
    'account, account number*, bank account*, checking account*, savings account*, current account*, account no, sort code*, ' +
      'routing number*, aba number*, transit number*, bsb, kontonummer*, konto nummer*, konto, konto nr, bankleitzahl*, ' +
      'bank leitzahl, blz, girokonto*, sparkonto*, bankkonto*, cuenta, cuenta corriente, número de cuenta, cuenta bancaria, ' +
      'cuenta de ahorro*, clabe, clave interbancaria, cbu, расчетн* счет*, лицев* счет*, номер счета, номер счёта, ' +
      'на счет, на счёт, счет, счёт, корреспондентск* счет*, корсчет*, корр счет*, бик, бик банка, банковск* счет*, р с, счет получателя',
  ),
  address: list(
    "address, home address, postal address, billing address, delivery address, shipping address, live at, lives at, living at, we're at, i'm at, " +
      'located at, moved to, adresse, anschrift, lieferadresse, rechnungsadresse, lieferanschrift, wohnhaft, ich wohne, ' +
      'wir wohnen, wohne in, wohne im, wohnen in, dirección, domicilio, mi domicilio, vivo en, vivimos en, reside en, ' +
      'адрес*, проживаю, живу, прописан*, прописк*, место жительства',
  ),
  name: list(
    'my name is, name is, my full name, full name, your name, the name is, who am i speaking, who i am speaking, ' +
      'whom am i speaking, speaking with, who is calling, who is this, may i take your name, mein name ist, ihr name, ' +
      'ihren namen, mein name, ich heisse, wie heissen sie, mit wem spreche, wer spricht, vor und nachname, nachname, ' +
      'vorname, me llamo, mi nombre es, su nombre, con quién hablo, con quien tengo, nombre y apellidos, a nombre de, ' +
      'меня зовут, мое имя, моя фамилия, ваше имя, ваша фамилия, ваше имя и фамили*, как вас зовут, как к вам обращаться, ' +
      'как могу обращаться, представьтесь, фамилия имя отчество, фио, name, name and address',
  ),
  id: list(
    'social security*, social security number, social insurance number, my social, your social, ssn, s s n, ' +
      'national insurance*, ni number, nino, national id*, national identity*, identity card*, id card*, ' +
      'identification number, tax id*, tax number, taxpayer*, passport*, driving licen*, drivers licen*, ' +
      "driver's licen*, steuer id*, steueridentifikationsnummer*, steuer identifikationsnummer*, " +
      'steuerliche identifikationsnummer*, steuernummer*, identifikationsnummer*, idnr, ' +
      'sozialversicherungsnummer*, rentenversicherungsnummer*, personalausweis*, ausweisnummer*, reisepass*, ' +
      'passnummer*, führerschein*, dni, d n i, nie, documento nacional*, documento de identidad, ' +
      'número de identidad, número de identificación, pasaporte*, carnet de conducir, паспорт*, снилс, серия, ' +
      'серия и номер, инн, водительск* удостоверен*, license number, driver license*, drivers license*, driving license*, ' +
      "driver's license*, driving licence*, the license, the licence, my licence, my license, licence number,  full social, ss number, medicare*, nhs number*, " +
      'health insurance number*, tax reference*, utr, itin, green card*, passport details, alien number, resident card*, ' +
      'visa number, steuer nummer*, sozialversicherung*, rentenversicherung*, versichertennummer*, ' +
      'krankenversicherungsnummer*, krankenversichertennummer*, krankenkassennummer*, ausweis*, perso, mein pass, meinen pass, ihr pass, ihren pass, ' +
      'führerscheinnummer*, aufenthaltstitel*, steueridentnummer*, identnummer*, n i e, nif, n i f, rfc, curp, cuit, cuil, ' +
      'cédula*, tarjeta de residencia, tarjeta sanitaria, número de la seguridad social, seguridad social, carné de conducir, ' +
      'permiso de conducir, licencia de conducir, número de pasaporte, загранпаспорт*, загран*, водительск*, водительск* прав*, ' +
      'номер прав, полис омс, полис ома, номер полиса, военн* билет*, свидетельств* о рождении, вид на жительство, ' +
      'серия паспорта, номер паспорта, удостоверени* личности',
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
      'ваш номер, номер для связи, номер телефон*, cell number, callback number*, land line, driver ring, daytime number, ' +
      'evening number, telefon nummer*, handy nummer*, telefonisch, rückrufnummer*, durchwahl zu mir, rufen sie mich, mich unter, uns unter, unter der nummer, erreichen sie mich, ' +
      'unter welcher nummer, ruf nummer*, fijo, número de móvil, número de teléfono, móvil de contacto, le llamamos, ' +
      'llamarme al, teléfono de contacto, домашний, городской, рабочий телефон, privatnummer, контактн* телефон*, контактн* номер*, телефончик*, номерок, с вами связаться, ' +
      'наберите мне, набрать вам, дозвонит*',
  ),
  birth: list(
    'born, born on, born in, date of birth, dates of birth, birth date*, birthdate*, birthday*, birth day, dob, ' +
      'd o b, year of birth, geboren*, geboren am, geburtsdatum*, geburtstag*, geburtsjahr*, nacido*, nacida*, ' +
      'nací*, nació, fecha de nacimiento, cumpleaños, дат* рождения, родил*, день рождения, дня рождения, ' +
      'год* рождения, рожден*, date of birth is, birth, jahrgang, geb datum, geburts datum, geburt, zur welt, ' +
      'fecha nacimiento, año de nacimiento, nacimiento, nacieron, naciste, cumplo, cumple, cumpleaños, ' +
      'г р, рождения, появил* на свет',
  ),
  email: list(
    'email*, e mail*, mail address*, mailadresse*, mail adresse*, mail, correo*, correo electrónico, ' +
      'электронн* почт*, почт*, имейл*, мейл*, емейл*, email address*, mail address*, e mail address*, mailen, mailadress*, ' +
      'imeil, imail, emilio, correo e, dirección de correo, correo electrónico, электронк*, e mail adress*',
  ),
  other: list(
    'order, order number*, order id, reference*, reference number*, ref, tracking*, tracking number*, ' +
      'shipment*, parcel*, booking*, booking number*, reservation*, confirmation*, confirmation number*, ' +
      'confirmation code*, invoice*, invoice number*, receipt*, ticket*, ticket number*, case number*, case id, ' +
      'claim*, claim number*, customer number*, customer id, member*, ' +
      'membership number*, policy, policy number*, serial*, serial number*, model*, model number*, part number*, ' +
      'meter*, meter number*, zip, zip code*, postal code*, post code*, postcode*, extension*, flight*, room*, ' +
      'error*, error code*, version*, product*, product code*, item*, item number*, article*, sku, imei, ' +
      'barcode*, contract*, transaction*, employee*, badge*, promo code*, ' +
      'discount code*, voucher*, coupon*, store number, job number*, request number*, service number*, ' +
      'loyalty card*, gift card*, library card*, membership card*, store card*, sim card*, graphics card*, ' +
      'clubcard*, bonus card*, case, price*, total, amount, balance, bestellnummer*, bestellung*, auftrag*, ' +
      'auftragsnummer*, kundennummer*, rechnung*, rechnungsnummer*, vorgangsnummer*, sendung*, sendungsnummer*, ' +
      'vertrag*, vertragsnummer*, postleitzahl*, plz, zähler*, artikel*, artikelnummer*, ' +
      'seriennummer*, aktenzeichen, buchung*, buchungsnummer*, ticketnummer*, referenz*, kundenkarte*, ' +
      'zählernummer*, fehlercode*, gutschein*, pedido*, número de pedido, referencia*, número de referencia, ' +
      'factura*, número de factura, reserva*, número de reserva, seguimiento, número de seguimiento, ' +
      'contrato*, cliente*, número de cliente, código postal, expediente*, incidencia*, artículo*, modelo*, ' +
      'importe*, precio*, заказ*, номер заказ*, договор*, номер договор*, счет*, номер счет*, накладн*, ' +
      'отправлен*, трек*, заявк*, номер заявк*, обращени*, индекс*, артикул*, брон*, билет*, рейс*, ' +
      'сумм*, цен*, карта лояльности, бонусн* карт*, дисконтн* карт*, seat, bay, platform, mileage, code for the discount, ' +
      'promo*, gutscheincode*, rabattcode*, aktionscode*, tischnummer, zimmer, wagen, platz, gleis, durchwahl, ' +
      'certificate*, zertifikat*, certificado*, сертификат*, subscription*, abo, abonnement*, suscripción*, подписк*, warranty, garantie*, garantía*, гаранти*, offer*, angebot*, oferta*, акци*, membership, mitgliedschaft*, visum, tüv, mot, полис*, insurance, versicherung*, seguro, страхов*, ' +
      'version*, firmware*, ip, ip address*, browser, ip adresse*, toner*, modell*, baujahr, kilometerstand, fritzbox, ' +
      'dirección ip, versión*, navegador, habitación, puerta, vuelo, extensión, kilómetros, código de descuento, código promocional, ' +
      'código de error, código postal, código qr, código de barras, ' +
      'cupón, localizador, matrícula, error, cartucho, промокод*, код товара, код ошибки, код скидки, код города, ' +
      'ошибк*, верси*, айпи, айпи адрес*, ip адрес*, адрес ip, ip адрес, добавочн*, модел*, пробег*, маршрут*, штрих код*, ' +
      'qr code*, qr код*, code name, country code*, area code*, dress code*, error number, fehler*, zip code*, source code*, ' +
      'email code, postcode, the code of, fault code*, color code, colour code, dialling code, ошибка код, ' +
      'company number, handelsregister*, umsatzsteuer*, ust id*, vat number*, cif, huisnummer, chassis*, registration*, licence plate*, ' +
      'license plate*, number plate*, kennzeichen*',
  ),
};

/** Next to a code, they show that it proves somebody's identity. */
export const CODE_SECRETS: RegExp =
  /^(?:sms|text|texts|texted|message|messages|sent|send|sending|arrived|came|received|got|get|whatsapp|push|app|login|verif.*|authent.*|security|secure|card|cards|nachricht.*|handy|geschickt|gesendet|schick.*|sende|sicherheit.*|bestatig.*|karte.*|einmal.*|tan|bekommen|erhalten|gekommen|angekommen|mensaje.*|mandado|mandamos|enviado|enviamos|envio|envie|llega|llegado|llego|llegue|movil|recibid.*|recibir.*|seguridad|tarjeta.*|confirmacion|смс|эсэмэс|сообщени.*|приш.*|прид.*|отправ.*|присл.*|пуш.*|приложени.*|подтвержд.*|карт.*|amex|visa|mastercard|мир|\[card.*|безопасност.*|телефон.*)$/u;
/** … and these, that it does not. */
export const CODE_OTHERS: RegExp =
  /^(?:promo.*|discount.*|voucher.*|coupon.*|off|offer.*|deal|percent|checkout|rabatt.*|angebot.*|aktion.*|gutschein.*|prozent|descuento.*|cupon.*|promocion.*|oferta.*|скидк.*|промо.*|купон.*|брон.*|booking|reserv.*|buchung.*|error|fehler.*|ошибк.*|product|item|color|zip|postal|country|dress|source|qr|bar)$/u;

/** Said between the parts of one number, by whoever says it. */
export const FILLERS = words(
  'uh um er erm ah hm hmm mm and then dash hyphen minus space slash again so next followed by okay ok yes yeah yep right is like well let me see ' +
    'äh ähm hm und dann strich bindestrich minus ja genau gut also weiter eh y luego después guión espacio sí vale bueno este ' +
    'э ээ эм мм и потом затем дальше далее тире минус да так ну хорошо угу ага ' +
    'no sorry wait hang on oops nope nein nee moment nur halt schrägstrich perdón perdona espere digo barra millones millón нет не ой дробь double triple doppel doble',
);

/** Between two parts of a number, these retract what came before. */
export const CORRECTIONS: ReadonlySet<string> = words(
  'no sorry wait hang oops nope nein nee moment perdón perdona espere digo нет не ой',
);

/** What a listener says meanwhile: a segment of nothing else does not interrupt the speaker. */
export const ACKNOWLEDGEMENTS = words(
  'mm hmm hm mhm mmhmm uh huh aha yes yeah yep yup okay ok right sure good great perfect thanks thank you got it go on ahead continue alright all correct i see and next please noted fine ' +
    'ja genau gut danke okay mhm weiter bitte verstanden notiert richtig stimmt sí vale bien perfecto gracias ajá siga adelante continúe correcto claro entendido ' +
    'да так хорошо угу ага спасибо понятно понял поняла записываю записал записала дальше верно слушаю продолжайте минуту',
);

/** A number next to one of these counts or measures something. */
export const UNITS_AFTER = words(
  'degrees watts volts characters symbols pages working business dollar dollars pound pounds quid euro euros cent cents pence bucks grand percent minute minutes hour hours second seconds day days week weeks month months year years ' +
    "am pm a.m p.m oclock o'clock times people person kilometers kilometres miles meters metres feet inches kilos grams liters litres gigabytes gigabyte gb mb megabytes megabit megabits degrees items pieces boxes units points thousand million millions billion hundred " +
    'grad watt kilowatt kilowattstunden zeichen quadratmeter seiten werktage werktagen bits bit bytes cm mm kg prozent minuten stunden stunde tage tagen wochen woche monate monaten jahre jahren uhr kilometer meter stück mal personen tausend million millionen milliarden ' +
    'dólares pesos céntimos lucas soles quetzales grados caracteres vatios páginas minutos horas días semanas meses años veces personas metros kilómetros unidades millones mil millón ' +
    'градусов градуса человека символов знаков квадратных кубов ватт киловатт этаж этаже кабинет рублей рубля рубль копеек копейки долларов евро процентов процента минут минуты минуту часов часа час дней дня день недель недели месяцев месяца лет года год раз штук человек метров километров тысяч тысячи миллионов',
);

/** The number before one of these is a number of digits. */
export const COUNTED = words(
  "digit digits figures figure numbers characters letters symbols digit's attempts stellig stellige stelligen stelliger ziffern zahlen zeichen cifras dígitos números caracteres цифр цифры цифра знаков символов значный значного",
);

export const CURRENCY_SIGNS: RegExp = /[$£€¥₽%]\s*$/;

/** Phrases between commas. */
function list(phrases: string): readonly string[] {
  return phrases.split(', ');
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainWord));
}
