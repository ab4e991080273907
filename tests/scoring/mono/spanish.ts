/** Calls of small offices in Spanish, one line an utterance; `A` is who works there. */
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
];
