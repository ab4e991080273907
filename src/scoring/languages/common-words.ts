const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

/** Small words that hardly stand in another of these languages, without accents. */
export const COMMON_WORDS: Record<'en' | 'de' | 'es' | 'ru', ReadonlySet<string>> = {
  en: words(
    'the and you is to of that it for my your can have this are with what on be not do i we will how at would there they from please',
  ),
  de: words(
    `und der die das ich sie nicht ist mit ein eine einen auf fur wir haben ihnen ihre ihr ihren mein meine kann bitte
    dass zu dem den von habe hat wie guten danke noch konnen mochte wird sind uns oder wenn aber einmal dann`,
  ),
  es: words(
    `el los las por para con una usted su mi esta como muy gracias pero lo del es al tengo puede buenos buenas este y
    en que nos favor tiene ha he eso nada cuando estoy senor senora`,
  ),
  ru: words(
    `и в не на что я с как это по но вы у меня мне вас вам ваш ваша есть да нет так здравствуйте спасибо пожалуйста для
    от за мы бы уже можно могу мой моя если до или еще добрый день`,
  ),
};
