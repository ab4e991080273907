import { foldWord } from '../../model/text/fold.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).map(foldWord));

/** Small words that tell who is meant, by what they stand for. A recogniser hears them in any trade. */
export const ROLE_WORDS = {
  your: words(
    'your yours ihr ihre ihrem ihren ihrer ihres su sus suyo ваш ваша ваше ваши вашу вашей вашего вашем ваших',
  ),
  my: words(
    'my mine mein meine meinem meinen meiner meines mi mis mio мой моя мое мои мою моей моего моем моих себя свой свою',
  ),
  you: words('you sie ihnen usted ustedes le les te tu вы вас вам вами тебя тебе'),
  i: words('i ich yo я'),
  me: words('me mir mich меня мне мной нами'),
  we: words(
    'we us our ours wir uns unser unsere unserem unseren unserer nosotros nuestro nuestra мы нас нам наш наша наши нашей',
  ),
  please: words('please bitte favor пожалуйста'),
  thanks: words('thanks thank danke dank gracias спасибо благодарю'),
  sorry: words(
    'sorry apologize apologise apologies leider entschuldigung leid siento disculpe lamento извините простите сожалению',
  ),
  address: words('sir madam mister mr mrs ms miss herr herrn frau señor señora don doña господин госпожа'),
  welcome: words('welcome pleasure gerne gern geschehen nada пожалуйста'),
  money: words('dollars pounds euros euro cents pesos рублей рубля рубль тысяч hundred thousand hundert tausend mil'),
} satisfies Record<string, ReadonlySet<string>>;

/** How an answer begins. */
export const ANSWER_STARTS = {
  yes: words(
    'yes yeah yep yup sure correct right exactly ja genau richtig stimmt doch si claro correcto exacto eso да ага угу верно конечно именно',
  ),
  no: words('no nope not nein nee nicht noch нет не пока'),
  okay: words(
    'okay ok alright fine good great perfect lovely gut prima super alles vale bueno bien perfecto estupendo хорошо ладно понятно ясно отлично поняла понял',
  ),
  and: words('and but so also because und aber also dann weil y pero entonces pues es а и но тогда так потому'),
  hello: words('hello hi hey good hallo guten tag moin hola buenos buenas diga алло здравствуйте добрый доброе'),
  bye: words('bye goodbye cheers tschuss wiederhoren wiedersehen adios hasta luego пока свидания доброго'),
} satisfies Record<string, ReadonlySet<string>>;

/** First words of questions. */
export const QUESTION_STARTS: ReadonlySet<string> = words(
  `what which when where who whose how why do does did is are was were can could may would will shall have has am
  was wie wann wo welche welcher welches welchen wer warum haben hatten konnen konnten mochten wollen sind ist darf soll
  kann muss gibt wurden qué cuál cuándo dónde cómo cuánto cuánta cuántos quién tiene tienen puede puedo podría hay es
  что какой какая какое какие какую когда где как сколько кто почему зачем можно могу есть`,
);
