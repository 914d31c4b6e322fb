package mail

var inJapanese = map[Kind]said{}
