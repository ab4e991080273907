/** Common given names: "this is Mary" names a person, "this is Harper Valley" a company. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaron abby abdul abigail adam adrian aisha alan albert alex alexander alexandra alexis alfred ali alice alicia alison
  allison alyssa amanda amber amelia amir amy ana andre andrea andrew andy angela angelica anita ann anna anne annie
  anthony antonio april aria ariana arjun arthur ashley audrey austin ava barbara beatrice becky ben benjamin bernard
  beth betty beverly bill billy bob bobby bonnie brad bradley brandon brenda brian brianna bridget brittany bruce bryan
  callum camila cameron carl carla carlos carmen carol caroline carolyn catherine cathy cecilia charles charlie
  charlotte chelsea cheryl chloe chris christian christina christine christopher cindy claire clara colin connor craig
  crystal curtis cynthia daisy dale dan dana daniel daniela danielle danny darren dave david dawn dean deborah debra
  deepak denise dennis derek diana diane diego dominic don donald donna dora doris dorothy doug douglas duncan dylan
  ed eddie edith edward elaine eleanor elena eli elijah elizabeth ella ellen ellie emily emma eric erica erik erin
  ethan eugene eva evan evelyn faith fatima felix fiona florence frances francis frank fred gabriel gareth gary gavin
  gemma geoff george georgia gerald gina gloria gordon grace graham grant greg gregory guy hannah harold harriet harry
  hassan hayley hazel heather hector helen henry holly howard hugh hugo ian ibrahim imran irene isaac isabel isabella
  isla ivan ivy jack jackie jackson jacob jacqueline jade jake james jamie jan jane janet janice jason jasmine jay jean
  jeff jeffrey jen jenna jennifer jenny jeremy jerry jesse jessica jill jim jimmy joan joanna joanne jodie joe joel john
  johnny jon jonathan jordan jorge jose joseph josh joshua joy joyce juan judith judy julia julian julie june justin
  karen karl kate katherine kathleen kathryn kathy katie kayla keith kelly ken kenneth kerry kevin khalid kim kimberly
  kirsty kumar kyle lara larry laura lauren laurence leah lee leo leon leonard leslie lewis liam lily linda lindsay lisa
  liz lloyd logan lois lorraine louis louise lucas lucy luis luke lydia lynn madison maggie malcolm manuel marco marcus
  margaret maria marie marilyn marina mario marion mark marlene martha martin mary mason matt matthew maureen max maya
  megan mei melanie melissa mia michael michelle miguel mike mila miles mohamed mohammed moira molly monica morgan
  muhammad nadia nancy naomi natalie natasha nathan neil nicholas nick nicola nicole nigel nina noah nora norman oliver
  olivia omar oscar owen pablo pam pamela patricia patrick paul paula pauline pedro peggy penny pete peter phil philip
  phillip phoebe phyllis pierre pippa polly priya rachel rahul raj ralph ramon randall randy ravi ray raymond rebecca
  renee rhys ricardo richard rick ricky rita rob robert roberta robin rodney roger roland ron ronald rosa rose rosemary
  ross roy russell ruth ryan sally sam samantha samir samuel sandra sanjay sara sarah scott sean sebastian sharon shaun
  sheila shirley sian simon sofia sonia sophia sophie stacey stan stanley stella stephanie stephen steve steven stuart
  sue susan suzanne sylvia tamara tanya tara ted teresa terry theo theresa thomas tim timothy tina toby todd tom tommy
  tony tracey tracy trevor tyler valerie vanessa vera veronica victor victoria vikram vincent violet virginia vivian
  walter wanda wayne wendy wesley wei will william xavier yasmin yolanda yusuf yvonne zach zachary zara zoe`.split(
    /\s+/u,
  ),
);
