import { phrases } from './accusations/accusation-book.ts';

/** What sounds like pressure and is none, in English, German, Spanish and Russian. */

/** Others are warned of: what follows is what they say or want. */
export const WARNINGS = phrases(`
  scammer, scammers, fraudster, fraudsters, swindler, swindlers, con man, con men, con artist, con artists, crook, crooks,
  criminals, criminal, thieves, fraud, scam, scams, phishing, they will say/tell/ask/claim/pretend, tell/tells people, caller/callers who/say/says, impostor, impostors, fake caller/callers/agent/agents, never trust/believe anyone/anybody/callers/people/them/strangers, do not trust/believe them/anyone/such,
  be careful with/if, beware of, anyone/anybody/someone/somebody who, if anyone/anybody/someone/somebody,
  betrug, betrugsmasche, masche, betrüger, betrügern, falsche bankmitarbeiter/mitarbeiter/anrufer, wird ihnen jemand sagen, anrufer sagen, die sagen ihnen, betrügerin, gauner, trickbetrüger, kriminelle, falsche polizisten, glauben sie nicht/niemandem/ihnen,
  glauben sie denen, trauen sie niemandem/ihnen/keinem, vorsicht wenn/vor, seien sie vorsichtig, wenn jemand/einer,
  wer ihnen sagt, estafa, estafas, fraude, le dirán, le van a decir, estafador, estafadora, estafadores, timador, timadores, ladrones, delincuentes, impostor, impostores,
  no les crea, no le crea, no se fíe, no confíe, desconfíe, si alguien, quien le diga, tenga cuidado con/si,
  обман, мошенничество, вам скажут, вам говорят, звонят и говорят, мошенник, мошенники, мошенников, мошенникам, мошенниками, аферист, аферисты, аферистов, преступники, жулики,
  не верьте, не доверяйте, если кто то, если кто нибудь, если вам кто, остерегайтесь
`);

/** Guaranteed by law, a maker or a shop: what a thing does, costs, or brings back. */
export const GUARANTEED_THINGS = phrases(`
  money back, your money back, full refund, refund within, refund if, if you return/send, bring it/them back,
  warranty, by law, the law, statutory, legal, legally, manufacturer, manufacturers, maker,
  deposit, deposits, deposit scheme, scheme, guarantee fund, compensation fund, savings are,
  battery, batteries, motor, engine, screen, display, compressor, device, machine, appliance, parts, repair, repairs,
  labour, labor, workmanship, product, goods, quality, mileage, delivery, delivered, the price, price for, this price, price will,
  rate for, fixed price, fixed rate, next day, uptime, speed, year/years/month/months guarantee/warranty,
  for one/two/three/four/five/six/seven/ten/1/2/3/4/5/6/7/10/12/24/36 year/years/month/months,
  an answer, answer every, answer your, a reply, a response, response time, call you back, a call back, callback, an email, the email, an update,
  your seat, your appointment, your data, your details, somebody/someone is in,
  geld zurück, ihr geld zurück, geld wieder, geld zurückbekommen, ihr geld zurückerhalten, geld zurückerstattet, rückerstattung, rückgabe, zurückgeben, zurückschicken, zurücksenden,
  gewährleistung, gesetz, gesetzlich, gesetzliche, gesetzlichen, hersteller, herstellers, herstellergarantie,
  einlage, einlagen, einlagensicherung, sicherungsfonds, akku, batterie, motor, bildschirm, gerät, geräts, maschine, ersatzteile,
  reparatur, produkt, ware, qualität, lieferung, geliefert, der preis, den preis, dieser preis, festpreis,
  eine antwort, antwort innerhalb, rückruf, zurückrufe, die mail, rückmeldung, ihr termin, ihre daten,
  ein/zwei/drei/vier/fünf/sechs/zehn/1/2/3/4/5/6/10 jahr/jahre/jahren, 12/24/36/zwölf monate/monaten,
  devolución, devolver, devuelve, devolvemos, devolvemos su dinero, devolución del dinero, su dinero de vuelta, reembolso,
  garantía legal, por ley, la ley, legal, fabricante, depósito, depósitos, fondo de garantía, batería, motor, pantalla, aparato,
  máquina, piezas, reparación, producto, calidad, entrega, el precio, precio fijo,
  una respuesta, respuesta en, le llamo, llamada de vuelta, el correo, su asiento, su cita, sus datos,
  un/dos/tres/cuatro/cinco/diez/1/2/3/4/5/10 año/años, 12/24/36/doce/seis meses,
  возврат денег, вернем деньги, вернём деньги, возврат, возвращаем, если вернете, по закону, закон, законом, законная,
  производитель, производителя, производителем, вклад, вклады, вкладов, страхование вкладов, агентством,
  аккумулятор, батарея, батарею, двигатель, экран, прибор, техника, детали, ремонт, товар, товара, товары, качество, качества, доставка, доставку, цена, цену,
  ответ, перезвоню, перезвоним, письмо, ваша запись, ваши данные,
  1/2/3/5/один/два/три/пять год/года/лет, 12/24/36 месяцев, на год, на два года
`);

/** A choice of time, or what a law or a withdrawal asks: nothing is sold by it. */
export const OTHER_DEADLINES = phrases(`
  whether he/she/they/we/the/it/you, which day/time/slot/date/colour/color/size/seat, what time/day, morning or, or the evening,
  morning or evening, or the afternoon, appointment, time slot, delivery slot, the delivery, delivery day, technician, engineer,
  fitter, courier, driver, by law, the law, the court, tax office, deadline of, optional, no obligation, take your time, no rush,
  no hurry, voluntary,
  ob er/sie/wir/der/die/es, welchen tag/termin, welche uhrzeit/größe/farbe, vormittags oder, morgens oder, oder abends,
  oder nachmittags, oder am, termin, lieferung, techniker, monteur, kurier, fahrer, gesetz, gesetzlich, gericht, finanzamt,
  freiwillig, unverbindlich, lassen sie sich zeit, keine eile, in ruhe,
  si viene/vienen/va/prefiere, qué día/hora/talla/color, por la mañana o, o por la tarde, mañana o tarde, cita, la entrega, técnico,
  mensajero, repartidor, por ley, la ley, juzgado, hacienda, opcional, voluntario, sin compromiso, tómese su tiempo, sin prisa,
  придет ли, придёт ли, приедет ли, когда, утром или, утра или, или вечером, какой день, какое время, доставка, доставку, доставке,
  мастер, мастера, курьер, курьера, по закону, закону, суд, налоговая, по желанию, необязательно, не обязательно подключать,
  без обязательств, не торопитесь
`);

/** A surprise is kept from whom it is for. */
export const SURPRISES = phrases(`
  surprise, surprises, birthday, anniversary, wedding, christmas present, überraschung, überraschen, geburtstag, hochzeit,
  hochzeitstag, weihnachtsgeschenk, sorpresa, cumpleaños, aniversario, boda, сюрприз, сюрприза, сюрпризом, день рождения,
  дня рождения, дню рождения, юбилей, свадьба, годовщина
`);

/** What a deal is made of: to keep that secret is no surprise and no care for a PIN. */
export const DEAL_WORDS = phrases(`
  price, offer, deal, discount, call, conversation, contract, loan, investment, money, rate, agreement, preis, angebot, rabatt,
  anruf, gespräch, vertrag, kredit, anlage, geld, precio, oferta, descuento, llamada, conversación, contrato, préstamo,
  inversión, dinero, цену, цене, цена, предложение, предложении, скидка, скидке, скидку, звонке, звонок, разговор, разговоре,
  договор, договоре, кредит, кредите, деньги, деньгах
`);
/** Secrets of the customer's own, before the advice to keep them. */
export const OWN_SECRETS = phrases(`
  your pin/password/passcode/code/cvv, the pin/password/passcode, ihre pin/geheimzahl/tan, ihr passwort/kennwort,
  die pin/geheimzahl/tan, das passwort/kennwort, su pin/clave/contraseña/código, el pin, la clave/contraseña,
  пин, пин код, пинкод, пароль, ваш пароль/код, код из смс
`);
/** What nobody can promise, besides the words of each book; with one of these beside it a guarantee is of the deal. */
export const OUTCOMES = phrases(`
  approved, approval, profit, profits, returns, win, winning, winner, double, doubled, earn, earnings, gain, gains, never lose,
  not lose, no loss, cured, cure, pass, visa, accepted, percent, success, results, rich, make your money, make money, times over, lower price, cheaper, will be paid, paid in full,
  genehmigt, bewilligt, gewinn, gewinne, rendite, verdoppeln, verdienen, nie, niemals, bestehen, gesund, prozent, erfolg,
  aprobado, aprobada, aprueban, aprueba, ganar, ganará, gana, ganancia, ganancias, beneficio, rentabilidad, duplicar, doblar, nunca,
  ciento, éxito, pasa, одобрят, одобрение, прибыль, доход, выигрыш, выиграете, заработаете, удвоите, годовых, процентов, никогда,
  выплата, успех
`);
