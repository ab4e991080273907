import { plainWord } from '../tokens.ts';

/** Words that make a street of the words beside them. */
export const STREETS: ReadonlySet<string> = words(
  'street road lane avenue drive close court crescent way place terrace gardens square boulevard grove hill row mews walk parade rise view park green rd ave blvd ln dr circle highway parkway trail loop pike ' +
    'straße strasse str gasse weg allee platz ring ufer damm steig chaussee wall promenade stieg pfad ' +
    'calle avenida avda av plaza paseo camino carretera ronda travesía urbanización pasaje glorieta rambla callejón bulevar alameda cuesta vía ' +
    'улица улицы улице улицу ул проспект проспекте проспекта просп переулок переулке пер бульвар бульваре шоссе набережная набережной площадь площади проезд проезде тупик микрорайон мкр квартал аллея линия тракт',
);
/** One word in German: `Amselgasse`, `Kastanienweg`. */
export const STREET_ENDS: RegExp =
  /^\p{L}{3,}(?:strasse|straße|gasse|weg|allee|platz|ring|ufer|damm|steig|chaussee|wall|promenade|stieg|pfad|kamp|stra|str)$/u;
/** Words that end like a street and are none. */
export const NO_STREETS: ReadonlySet<string> = words(
  'unterwegs arbeitsplatz parkplatz stellplatz sitzplatz spielplatz bereich keineswegs deswegen durchweg vorweg hinweg umweg ausweg rückweg heimweg bildschirm hering marketing',
);
/** Parts of an address: flats, floors, postcodes. */
export const PARTS: ReadonlySet<string> = words(
  'apartment apt flat floor unit suite number house building block postcode zip code post box po ' +
    'hausnummer nummer wohnung stock etage hinterhaus vorderhaus postleitzahl plz aufgang ' +
    'número piso puerta portal izquierda derecha escalera bajo bloque código postal local ático planta esquina centro primero segundo tercero cuarto quinto sexto séptimo octavo noveno primera segunda tercera cuarta quinta entresuelo principal ' +
    'дом дома доме д корпус корп к строение стр квартира квартиру кв подъезд этаж индекс почтовый офис город г область',
);
/** Stand between the parts of an address. */
export const SMALL: ReadonlySet<string> = words(
  'in of the de la del los las el y der dem den des am an im zum zur auf bei und st saint san santa sankt bad at on and в на и с a напротив',
);
/** Somebody asks where to. */
export const WHERE: RegExp =
  /^(?:where|wo|wohin|donde|adonde|куда|где|address|adresse|anschrift|lieferanschrift|direccion|domicilio|адрес.*|deliver|delivery|liefern|entregamos|entregar|enviamos|envio|привезти|доставить|доставку)$/u;
/** Somebody speaks of where a company is. */
export const OURS: ReadonlySet<string> = words(
  "our we we're office branch store shop showroom headquarters unsere unser unserer wir filiale büro geschäft laden nuestra nuestro nuestras estamos oficina tienda sucursal наш наша наше нашем нашей мы офис магазин отделение филиал находимся",
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(plainWord));
}
