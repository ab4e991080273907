import type { LanguageCalls } from './language-calls.ts';

/** Calls in Spanish, as they are spoken in a call centre. */
export const spanish: LanguageCalls = {
  service: {
    good: `
      A: Buenos días, gracias por llamar a Aguas del Norte.
      A: Le atiende Lucía Romero.
      A: ¿En qué puedo ayudarle?
      C: Buenos días, quiero cambiar mi cita al jueves.
      A: ¿Se trata de la cita para el contador?
      C: Sí, esa.
      A: Entonces usted quiere el jueves.
      C: Sí, correcto.
      A: Un momento, por favor, voy a consultar la agenda.
      ~18
      A: Gracias por esperar.
      A: Ya hemos modificado la cita.
      A: El técnico llama dos veces al timbre y le espera abajo delante del portal de su edificio.
      C: Perfecto, muchas gracias.
      A: ¿Hay algo más en lo que pueda ayudarle?
      C: No, gracias.
      A: Gracias a usted por su llamada.
      A: Que tenga un buen día, hasta luego.`,
    bad: `
      A: ¿Qué?
      C: Buenos días, no me ha llegado el paquete con el número cuatro siete uno uno, ¿me puede ayudar?
      A: No es mi problema.
      C: Es una vergüenza, no estoy conforme.
      A: Pues vale.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'problem.understood',
      'problem.details',
      'problem.resolved',
      'problem.accepted',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
    ],
    changes: [
      {
        from: 'A: Le atiende Lucía Romero.',
        to: 'A: Ha llamado al sitio correcto.',
        flips: { 'greeting.name': 'fail' },
      },
      {
        from: 'A: Ya hemos modificado la cita.',
        to: 'A: Hoy no hay manera de hacerlo.',
        flips: { 'problem.resolved': 'fail' },
      },
      {
        from: 'A: Ya hemos modificado la cita.',
        to: 'A: Nos pondremos en contacto con usted.',
        flips: { 'problem.resolved': 'partial' },
      },
      {
        from: 'A: Que tenga un buen día, hasta luego.',
        to: 'A: Así queda apuntado en la agenda.',
        flips: { 'closing.farewell': 'fail' },
      },
      {
        from: 'A: ¿Hay algo más en lo que pueda ayudarle?',
        to: 'A: Hoy hace mucho calor en la calle.',
        flips: { 'closing.more': 'fail' },
      },
      {
        from: 'A: El técnico llama dos veces al timbre y le espera abajo delante del portal de su edificio.',
        to: 'A: ¿Está usted sorda, que se lo tengo que decir ahora otra vez por teléfono?',
        flips: { 'professionalism.respect': 'fail' },
      },
    ],
  },
  sales: {
    good: `
      I: Esta llamada puede ser grabada por motivos de calidad.
      A: Buenas tardes, señora Vega.
      A: Mi nombre es Diego Soto, de la compañía Luz Clara.
      A: El motivo de mi llamada es su contrato de electricidad.
      A: ¿Tiene unos minutos?
      C: Sí, dígame, pero solo tengo unos minutos porque estoy trabajando.
      A: ¿Qué es lo más importante para usted en una tarifa?
      C: Que el precio no suba, porque el año pasado me subió muchísimo la factura cada mes.
      A: Con nuestra tarifa usted ahorra bastante dinero.
      C: No suena mal.
      A: La cuota mensual es de veintinueve euros.
      A: El contrato dura doce meses.
      A: Puede desistir en catorce días.
      C: Muy bien, eso me parece justo y me deja tranquila.
      A: ¿Le gustaría contratar la tarifa ahora?
      C: Sí, de acuerdo, vamos a hacerlo.
      A: Muchas gracias por su confianza.
      A: Que pase una buena tarde, hasta luego.`,
    bad: `
      A: Es por la luz.
      C: Hola, ¿quién es? No me llamen más, por favor.
      A: Tiene que decidirse hoy, la oferta caduca hoy.
      C: No.
      A: Es su problema.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
      'compliance.doNotCall',
      'compliance.urgency',
    ],
    changes: [
      {
        from: 'I: Esta llamada puede ser grabada por motivos de calidad.',
        to: 'I: Por favor tenga un poco de paciencia.',
        flips: { 'compliance.notice': 'fail' },
      },
      { from: 'A: ¿Tiene unos minutos?', to: 'A: Su contador está en la entrada.', flips: { 'opening.time': 'fail' } },
      {
        from: 'A: ¿Qué es lo más importante para usted en una tarifa?',
        to: 'A: Nuestra tarifa gusta a todo el mundo.',
        flips: { 'discovery.needs': 'fail' },
      },
      {
        from: 'A: El contrato dura doce meses.',
        to: 'A: La energía viene del agua.',
        flips: { 'offer.terms': 'fail' },
      },
      {
        from: 'A: Puede desistir en catorce días.',
        to: 'A: La energía es de la región.',
        flips: { 'compliance.cancellation': 'fail' },
      },
      {
        from: 'A: Puede desistir en catorce días.',
        to: 'A: Tiene derecho de desistimiento durante 14 días naturales.',
        flips: {},
      },
      {
        from: 'A: La cuota mensual es de veintinueve euros.',
        to: 'A: La tarifa es realmente estupenda.',
        flips: { 'offer.price': 'fail', 'compliance.price': 'fail' },
      },
    ],
  },
  support: {
    good: `
      I: La llamada está siendo grabada.
      A: Hola, bienvenido al servicio de atención al cliente de Red Sur.
      A: Me llamo Elena Cruz.
      A: ¿Cómo puedo ayudarle?
      C: Hola, no me funciona internet.
      A: Lamento mucho las molestias, señor.
      A: ¿Desde cuándo le pasa?
      C: Desde anoche.
      A: ¿Qué luz está encendida en el router?
      C: Solo la roja.
      A: Por favor desconecte el cable y espere diez segundos.
      C: Ya está.
      A: Gracias, voy a restablecer la línea desde aquí.
      A: El problema ha sido solucionado.
      A: ¿Le funciona ahora?
      C: Sí, ya funciona, muchas gracias.
      A: ¿Necesita algo más?
      C: No, gracias.
      A: Gracias por su llamada.
      A: Que tenga un buen día, adiós.`,
    bad: `
      A: Técnica.
      C: Buenos días, no me funciona internet desde ayer, ¿me puede ayudar?
      A: Ahí no se puede hacer nada.
      C: Esto es inaceptable, no me sirve.
      A: Es lo que hay.`,
    failing: [
      'greeting.opens',
      'greeting.company',
      'greeting.name',
      'diagnosis.acknowledged',
      'diagnosis.empathy',
      'diagnosis.questions',
      'solution.steps',
      'solution.checked',
      'solution.resolved',
      'solution.ticket',
      'solution.accepted',
      'professionalism.courtesy',
      'closing.more',
      'closing.thanks',
      'closing.farewell',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Lamento mucho las molestias, señor.',
        to: 'A: Si he entendido bien, no hay conexión.',
        flips: { 'diagnosis.empathy': 'fail' },
      },
      {
        from: 'A: ¿Le funciona ahora?',
        to: 'A: El router debe estar en un lugar abierto.',
        flips: { 'solution.checked': 'fail' },
      },
      {
        from: 'A: El problema ha sido solucionado.',
        to: 'A: Un técnico irá mañana a su casa.',
        flips: { 'solution.resolved': 'partial', 'solution.ticket': 'fail' },
      },
      {
        from: 'A: El problema ha sido solucionado.',
        to: 'A: Un técnico irá mañana, su número de incidencia es ocho ocho.',
        flips: { 'solution.resolved': 'partial', 'solution.ticket': 'pass' },
      },
      { from: 'A: ¿Necesita algo más?', to: 'A: Hoy llama muchísima gente.', flips: { 'closing.more': 'fail' } },
    ],
  },
  collections: {
    good: `
      I: Esta llamada se está grabando.
      A: Buenos días, le habla Marcos Gil de la empresa Cobranza Norte.
      A: ¿Hablo con la señora Prado?
      C: Sí, soy yo.
      A: Por seguridad, ¿me confirma su fecha de nacimiento?
      C: Tres de mayo de mil novecientos ochenta.
      A: Gracias, le llamo por una deuda pendiente con su compañía telefónica.
      A: El importe pendiente es de doscientos euros.
      C: Sí, lo sé, me quedé sin trabajo.
      A: Lo entiendo perfectamente, ¿cuál es su situación ahora?
      C: Empiezo un trabajo nuevo el lunes.
      A: Podemos ofrecerle un plan de pagos.
      C: Cuarenta euros al mes podría pagar.
      A: Entonces usted pagará cuarenta euros al mes y el primer pago es el uno de junio.
      C: De acuerdo.
      A: Muchas gracias por su colaboración.
      A: Que tenga un buen día, hasta luego.`,
    bad: `
      A: Nos debe dinero.
      C: ¿Quién es usted y qué quiere de mí?
      A: Pague hoy o le embargaremos la casa.
      C: Es una vergüenza.
      A: Vamos a llamar a su jefe.`,
    failing: [
      'opening.opens',
      'opening.company',
      'opening.name',
      'opening.identity',
      'account.amount',
      'account.situation',
      'arrangement.plan',
      'professionalism.courtesy',
      'professionalism.respect',
      'closing.thanks',
      'closing.farewell',
      'compliance.disclosure',
      'compliance.threats',
      'compliance.pressure',
      'compliance.notice',
    ],
    changes: [
      {
        from: 'A: Gracias, le llamo por una deuda pendiente con su compañía telefónica.',
        to: 'A: Gracias, coincide con lo que tengo aquí.',
        flips: { 'compliance.disclosure': 'fail' },
      },
      {
        from: 'A: Podemos ofrecerle un plan de pagos.',
        to: 'A: El dinero tiene que llegar igualmente.',
        flips: { 'arrangement.plan': 'fail', 'arrangement.recap': 'not_applicable' },
      },
      {
        from: 'A: Entonces usted pagará cuarenta euros al mes y el primer pago es el uno de junio.',
        to: 'A: Bien, lo dejamos así.',
        flips: { 'arrangement.recap': 'fail' },
      },
      {
        from: 'A: Que tenga un buen día, hasta luego.',
        to: 'A: Hasta luego, o acabará en la cárcel.',
        flips: { 'compliance.threats': 'fail' },
      },
      {
        from: 'C: Sí, lo sé, me quedé sin trabajo.',
        to: 'C: Yo no debo nada, ya lo pagué.',
        flips: {
          'arrangement.plan': 'not_applicable',
          'arrangement.recap': 'not_applicable',
          'arrangement.dispute': 'fail',
        },
      },
    ],
  },
};
