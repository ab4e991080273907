import { inOtherLanguages } from './other-languages.ts';
import type { RoleCue } from './role-cues.ts';

/** Like `AGENT_CUES`, in German, Spanish and Russian. */
export const AGENT_CUES_ABROAD: readonly RoleCue[] = [
  {
    weight: 4,
    phrases: [
      'danke für ihren anruf',
      'vielen dank für ihren anruf',
      'gracias por llamar/comunicarse/esperar/su',
      'спасибо за звонок/ожидание/обращение',
      'благодарим за звонок/ожидание/обращение',
    ],
  },
  { weight: 4, phrases: inOtherLanguages('offers') },
  { weight: 3, phrases: inOtherLanguages('moreOffers') },
  { weight: 2, phrases: [...inOtherLanguages('timeQuestions'), ...inOtherLanguages('needQuestions')] },
  { weight: 2, phrases: [...inOtherLanguages('cancellationRights'), ...inOtherLanguages('paymentPlans')] },
  { weight: 2, phrases: inOtherLanguages('identityChecks') },
  { weight: 2, phrases: [...inOtherLanguages('prices'), ...inOtherLanguages('debtAmounts')] },
  {
    weight: 2,
    phrases: [
      'ich schaue/prüfe/sehe/sende/schicke/buche/verbinde/kümmere',
      'ich helfe ihnen',
      'le voy a',
      'voy a revisar/consultar/comprobar/enviarle/verificar',
      'я проверю/посмотрю/уточню/отправлю/оформлю/помогу',
      'сейчас проверю/посмотрю/уточню',
    ],
  },
  {
    weight: 2,
    phrases: [
      'nennen/sagen/geben sie mir',
      'können/könnten sie mir * nennen/sagen/geben/bestätigen',
      'me puede/podría decir/indicar/facilitar/confirmar/dar',
      'me confirma/indica/facilita su',
      'назовите пожалуйста/ваш/вашу/номер',
      'подтвердите пожалуйста',
      'уточните пожалуйста',
    ],
  },
  {
    weight: 2,
    phrases: [
      'ihr konto/vertrag/termin/paket/auftrag',
      'ihre bestellung/rechnung/karte/daten/buchung',
      'su cuenta/pedido/contrato/factura/cita/tarjeta/reserva',
      'ваш заказ/счет/договор/тариф/платеж',
      'ваша карта/заявка/запись/заявка',
    ],
  },
  { weight: 1, phrases: inOtherLanguages('holdAnnouncements') },
];

/** Like `CUSTOMER_CUES`, in German, Spanish and Russian. */
export const CUSTOMER_CUES_ABROAD: readonly RoleCue[] = [
  { weight: 2, phrases: inOtherLanguages('needs') },
  {
    weight: 1.5,
    phrases: [
      'mein konto/vertrag/paket/internet/passwort/geld',
      'meine bestellung/rechnung/karte/nummer',
      'mi cuenta/pedido/contrato/factura/tarjeta/internet/contraseña/dinero',
      'мой заказ/счет/интернет/пароль/телефон/номер',
      'моя карта/заявка/посылка',
      'мои деньги',
    ],
  },
  {
    weight: 2,
    phrases: [
      'das war es/alles',
      'das wars',
      'eso es todo',
      'nada más',
      'это все',
      'больше ничего',
      'вопросов нет',
      'danke für ihre hilfe',
      'gracias por su ayuda',
      'спасибо за помощь',
      'ihnen auch',
      'igualmente',
      'взаимно',
    ],
  },
];
