/** Calls to small businesses in Spanish, one line for each utterance; `A` is the agent. */
export const spanish: readonly string[] = [
  `A: Taller Hermanos Ruiz, dígame.
  C: Hola, buenas. Llamo por un Seat León que dejé ayer por la tarde.
  A: ¿A nombre de quién está?
  C: De Carmen Ortega.
  A: Ah, sí. Ya lo hemos mirado. Es la batería, hay que cambiarla.
  C: ¿Y cuánto me va a costar?
  A: Ciento diez euros con la mano de obra.
  C: Bueno, pues adelante. ¿Para cuándo estaría?
  A: Esta misma tarde, a partir de las seis.
  C: Es que salgo de trabajar a las siete. ¿Hasta qué hora están abiertos?
  A: Cerramos a las ocho, no se preocupe.
  C: Perfecto. ¿Se puede pagar con tarjeta?
  A: Claro que sí.
  C: Vale, pues luego paso.
  A: Hasta luego, Carmen.
  C: Adiós, gracias.`,
  `A: Clínica dental Sonrisa, buenos días, le atiende Marta.
  C: Buenos días. Quería pedir cita para una limpieza.
  A: ¿Es usted paciente nuestra?
  C: Sí, vine el año pasado.
  A: ¿Me dice su nombre y apellidos?
  C: Lucía Fernández Mora.
  A: Un segundito que busco su ficha.
  A: Tengo hueco el lunes a las diez o el miércoles a las cinco.
  C: El miércoles me viene mejor.
  A: Pues se lo apunto. Miércoles dieciocho a las cinco.
  C: ¿Tengo que llevar algo?
  A: La tarjeta del seguro, si tiene.
  C: No, ya no tengo seguro. ¿Qué precio tiene entonces?
  A: Son cincuenta euros.
  C: De acuerdo. Muchas gracias.
  A: A usted. Que tenga un buen día.
  C: Igualmente.`,
  `A: Gracias por llamar a Fibra Sur, le habla Andrés, ¿en qué puedo ayudarle?
  C: Mire, llevo tres días sin internet y nadie me da una solución.
  A: Lamento mucho la molestia. ¿Me puede indicar el número de teléfono de la línea?
  C: Nueve cinco cuatro, treinta y dos, once, cero ocho.
  A: Gracias. ¿Hablo con el titular?
  C: No, es mi marido, pero él está trabajando.
  A: No hay problema. Veo que hay una avería registrada desde el lunes.
  C: Sí, y me dijeron que vendrían ayer y no apareció nadie.
  A: Tiene razón, el técnico no pudo acceder al edificio.
  C: ¡Pero si yo estuve en casa toda la mañana!
  A: Voy a pedir una nueva visita con prioridad. ¿Le viene bien mañana entre nueve y doce?
  C: ¿No puede ser hoy?
  A: Hoy ya no quedan técnicos disponibles, lo siento.
  C: Está bien, mañana. Pero que llamen antes.
  A: Lo dejo anotado. También le vamos a descontar estos días de la factura.
  C: Menos mal.
  A: ¿Hay algo más en lo que pueda ayudarle?
  C: No, eso es todo.
  A: Gracias por su paciencia. Buenas tardes.`,
  `C: ¿Diga?
  A: Buenas tardes, ¿el señor Javier Molina?
  C: Sí, soy yo.
  A: Le llamo de Seguros Levante. Mi nombre es Patricia.
  A: Es en relación con la renovación de la póliza de su coche.
  C: Ah, sí. Justo quería hablar de eso, porque me ha subido mucho.
  A: Entiendo. La subida se debe al parte del mes de marzo.
  C: Pero si la culpa fue del otro conductor.
  A: Déjeme comprobarlo.
  A: Efectivamente, aquí figura a su favor. Le puedo dejar la cuota como estaba.
  C: ¿Y eso cuánto es?
  A: Trescientos veinte al año.
  C: Si es así, la renuevo.
  A: ¿Quiere mantener el pago semestral?
  C: Sí, como siempre.
  A: Le envío los papeles por correo electrónico. ¿Sigue siendo el mismo?
  C: Sí, el mismo.
  A: Muy bien, don Javier. Que pase buena tarde.
  C: Gracias, adiós.`,
  `A: Hostal La Plaza, buenas noches.
  C: Buenas noches. Tenemos una reserva para hoy, pero vamos a llegar tarde.
  A: ¿A qué hora más o menos?
  C: Sobre la una. El tren viene con retraso.
  A: No pasa nada, la recepción está abierta toda la noche. ¿Me dice el apellido?
  C: Benítez.
  A: Habitación doble, dos noches, correcto.
  C: Correcto. ¿Desde la estación cómo llegamos?
  A: A esa hora lo mejor es un taxi, son unos ocho euros.
  C: ¿Y mañana a qué hora es el desayuno?
  A: De ocho a diez y media.
  C: Estupendo, gracias.
  A: Buen viaje.`,
  `A: Óptica Central, ¿qué desea?
  C: Quería saber si ya llegaron mis gafas.
  A: ¿Tiene el número del resguardo?
  C: Sí, el cuatro mil doscientos seis.
  A: Todavía no, nos llegan el viernes.
  C: Es que me dijeron que estarían para el martes.
  A: Es verdad, pero el laboratorio se ha retrasado con los cristales.
  C: Necesito las gafas para conducir.
  A: Lo entiendo. Si quiere, le presto unas de prueba mientras tanto.
  C: ¿Tienen mi graduación?
  A: Sí, está en su ficha. Puede pasar a recogerlas hoy mismo.
  C: Entonces me paso esta tarde. Muy amable.
  A: Aquí le esperamos.`,
  `A: Banco del Norte, le atiende Sergio Luna. ¿En qué le puedo ayudar?
C: Buenos días. Me aparece un cargo de ochenta y cinco euros que yo no hice.
A: Vamos a verlo. ¿Me facilita su documento, por favor?
C: Cuarenta y cinco, seis siete ocho, nueve cero uno, letra M.
A: Gracias, doña Elena. ¿De qué fecha es el cargo?
C: Del sábado por la noche. Yo estaba en casa durmiendo.
A: Veo que es una compra por internet. ¿Ha compartido los datos de la tarjeta con alguien?
C: No, con nadie.
A: Entonces le bloqueo la tarjeta ahora mismo y le enviamos una nueva.
C: ¿Y me devuelven el dinero?
A: Sí, en cuanto firme la reclamación. Se la mando por correo.
C: ¿Cuánto tarda eso?
A: Unos diez días hábiles.
C: Bueno, qué remedio. Gracias por la ayuda.
A: A usted por llamar. Hasta luego.`,
  `C: ¿Sí?
A: Hola, buenos días, ¿hablo con Raquel Soto?
C: Sí, ¿quién es?
A: Soy Manuel, de la mensajería. Tengo un paquete para usted y no hay nadie en casa.
C: Ay, es que estoy trabajando. ¿Lo puede dejar con la vecina?
A: ¿En qué piso vive?
C: En el segundo B. Se llama Pilar.
A: Llamo ahora y si no está lo dejo en el punto de recogida.
C: ¿Dónde está ese punto?
A: En la papelería de la calle Mayor. Está abierta hasta las ocho.
C: Vale, perfecto. Muchas gracias.
A: De nada, adiós.`,
  `A: Inmobiliaria Costa Clara, buenas tardes.
C: Buenas tardes, he visto en internet un piso en la calle del Mar y me gustaría visitarlo.
A: ¿El de dos habitaciones o el ático?
C: El de dos habitaciones. ¿Sigue disponible?
A: Sí, sigue en alquiler. Son setecientos cincuenta al mes más gastos.
C: ¿Cuánto son los gastos más o menos?
A: Unos cuarenta euros. ¿Para cuándo lo necesitaría?
C: Para el uno de septiembre. Tengo un gato, ¿hay problema?
A: Tendría que consultarlo con el propietario.
C: Vale. ¿Podría verlo esta semana?
A: El jueves a las seis y media le podemos enseñar el piso. ¿Le va bien?
C: Sí, me va bien.
A: Déjeme un teléfono de contacto.
C: Seis dos tres, cuarenta, cincuenta y uno, diecinueve.
A: Apuntado. El jueves nos vemos en el portal.
C: Muy bien, hasta el jueves.`,
  `A: Farmacia Lozano, ¿dígame?
C: Hola, quería saber si tenéis el jarabe que me recetó el médico.
A: ¿Cómo se llama el jarabe?
C: Espera que lo leo. Mucosan.
A: Ese lo tenemos en adultos, el infantil me llega mañana.
C: Necesito el infantil, es para mi hija de cuatro años.
A: Si quieres te lo guardo y pasas mañana a partir de las once.
C: Sí, guárdamelo, por favor. ¿Cuánto vale?
A: Con la receta son tres euros con veinte.
C: Pues mañana me acerco. Gracias.
A: Hasta mañana.`,
];
