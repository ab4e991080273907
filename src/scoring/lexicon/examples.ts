import { phrases } from './accusations/accusation-book.ts';

/** Beside one of these a number or password may be an example, made for tests, or known to everybody. */
export const EXAMPLES = phrases(`
  something like, for example, for instance, such as, an example, example of, in the example, sample, let us say, like for,
  in the picture, in the photo, on the screenshot, test card/number/code/pin/password/account, public test, dummy, placeholder, made up,
  default password/pin/code, guest, guests, public wifi/password/network, for everybody/everyone, for all guests,
  on the wall, on the poster,
  zum beispiel, beispielsweise, so etwas wie, so was wie, etwa so, beispiel, beispielnummer, musterkarte, muster, testkarte,
  testnummer, testcode, testpasswort, platzhalter, auf dem bild, im bild, auf dem foto, gäste, gäste wlan, gast, gästenetz,
  für alle, für jeden, an der wand, auf dem aushang, standardpasswort,
  por ejemplo, un ejemplo, de ejemplo, algo como, algo así como, digamos, de prueba, en la imagen, en la foto, en el dibujo,
  de invitados, para invitados, de huéspedes, para huéspedes, para todos, para todo el mundo, en la pared, en el cartel,
  ficticio, ficticia, de muestra,
  например, к примеру, для примера, пример, примера, что то вроде, вроде, допустим, скажем, тестовая, тестовой, тестовую, тестовый,
  на картинке, на фото, на рисунке, гостевой, гостевого, гостевая, гостевую, для всех, на стене, образец,
  вымышленный
`);
