package mail

var inKorean = map[Kind]said{}
