import { plainWord } from '../../model/text/tokens.ts';

/** Words that name something secret, or a number that is none, whatever the language. A word that ends in `*` stands for all that begin so. */
const KINDS = {
  card: `card visa mastercard amex karte kreditkarte kartennummer girocard tarjeta карт*`,
  code: `cvv cvc code codes digits back security prüfziffer* prüfnummer sicherheitscode rückseite hinten tan sms código codigo dorso reverso atrás token код кода коду кодом обороте смс`,
  pin: `pin pins nip geheimzahl clave пин пинкод puk`,
  password: `password passwords passcode passphrase login username passwort kennwort losung* codewort zugang* benutzer* contraseña usuario acceso пароль пароля паролем логин кодовое слово memorable word`,
  identity: `passport licence license social insurance ssn national ausweis* personalausweis perso pass reisepass* steuer* sozialversicherung* rentenversicherung* ahv dni nie curp rfc cédula pasaporte cuit cuil rut documento паспорт* снилс инн серия`,
  alarm: `alarm disarm alarma desactivar alarmanlage entschärf* сигнализац* охран*`,
  harmless: `order booking reference tracking invoice case postcode zip voucher promo coupon discount extension meter phone ending last bestellnummer auftrag* buchung* rechnung* kundennummer vorgang* postleitzahl gutschein* rabatt* zähler* telefon* endet letzten pedido reserva referencia factura seguimiento postal cupón descuento medidor contador teléfono termina últim* заказ* заявк* брон* счет* накладн* индекс* промокод* скидк* счетчик* телефон* последн*`,
} as const;

type SecretWordKind = keyof typeof KINDS;

const FIGURES = `zero oh nought one two three four five six seven eight nine double triple null eins zwei zwo drei vier fünf sechs sieben acht neun
  cero uno una dos tres cuatro cinco seis siete ocho nueve ноль нуль один два три четыре пять шесть семь восемь девять`;

const figures = new Set(FIGURES.split(/\s+/u).map(plainWord));
const whole = new Map<string, SecretWordKind[]>();
const beginnings: [string, SecretWordKind][] = [];
for (const kind of Object.keys(KINDS) as SecretWordKind[]) {
  for (const written of KINDS[kind].split(/\s+/u)) {
    if (written.endsWith('*')) beginnings.push([plainWord(written.slice(0, -1)), kind]);
    else whole.set(plainWord(written), [...(whole.get(plainWord(written)) ?? []), kind]);
  }
}

const known = new Map<string, readonly SecretWordKind[]>();
/** Words of calls are few; what a stranger spells must not fill the memory. */
const KNOWN_MAX = 20_000;

/** What this word may name. */
export function secretKindsOf(word: string): readonly SecretWordKind[] {
  const read = known.get(word);
  if (read) return read;
  const kinds = whole.get(word) ?? beginnings.flatMap(([start, kind]) => (word.startsWith(start) ? [kind] : []));
  if (known.size < KNOWN_MAX) known.set(word, kinds);
  return kinds;
}

/** A figure that is said as a word. */
export function isSpokenFigure(word: string): boolean {
  return figures.has(word);
}
