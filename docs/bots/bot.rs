//! A bot for Suitors in Rust, with the standard library alone. It speaks version 2 of the protocol (docs/bots.md).
//!
//! It counts the cards that it has seen, remembers what a Guard has ruled out, and plays the move with the best chances
//! one play ahead. Try it: rustc -O bot.rs && suitors match --bots "random,cmd2:./bot" --games 100

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Write};

const HELLO: &str = r#"{"type":"hello","protocol":2,"name":"Rust example","version":"1.0","options":{"seed":{"type":"integer","default":1,"min":0,"max":1000000}}}"#;

/// A value of JSON. What is missing is `Null`, so that keys can be followed without a check at each step.
#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

static NULL: Json = Json::Null;

impl Json {
    /// The value under a key of an object.
    fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(map) => map.get(key).unwrap_or(&NULL),
            _ => &NULL,
        }
    }

    fn text(&self) -> &str {
        match self {
            Json::Text(text) => text,
            _ => "",
        }
    }

    fn number(&self) -> f64 {
        match self {
            Json::Number(number) => *number,
            _ => 0.0,
        }
    }

    /// A number that counts something, such as a seat; None where there is none.
    fn index(&self) -> Option<usize> {
        match self {
            Json::Number(number) => Some(*number as usize),
            _ => None,
        }
    }

    fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            _ => &[],
        }
    }
}

/// Reads JSON from text, one value with nothing behind it.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn read(text: &'a str) -> Result<Json, String> {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let value = reader.value()?;
        reader.skip();
        if reader.at == reader.text.len() { Ok(value) } else { reader.fail() }
    }

    fn fail<T>(&self) -> Result<T, String> {
        Err(format!("this is not JSON at byte {}", self.at))
    }

    fn skip(&mut self) {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    /// The next byte that is no space; 0 at the end.
    fn peek(&mut self) -> u8 {
        self.skip();
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Whether this byte is next; it is passed over then.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += found as usize;
        found
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.peek() {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => Ok(Json::Text(self.string()?)),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.numeral(),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return self.fail();
        }
        self.at += word.len();
        Ok(value)
    }

    fn numeral(&mut self) -> Result<Json, String> {
        let start = self.at;
        while self.at < self.text.len() && b"+-.0123456789eE".contains(&self.text[self.at]) {
            self.at += 1;
        }
        match String::from_utf8_lossy(&self.text[start..self.at]).parse() {
            Ok(number) => Ok(Json::Number(number)),
            Err(_) => self.fail(),
        }
    }

    fn array(&mut self) -> Result<Json, String> {
        let mut items = Vec::new();
        self.take(b'[');
        if self.take(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.take(b']') {
                return Ok(Json::List(items));
            }
            if !self.take(b',') {
                return self.fail();
            }
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        let mut map = BTreeMap::new();
        self.take(b'{');
        if self.take(b'}') {
            return Ok(Json::Object(map));
        }
        loop {
            self.skip();
            let key = self.string()?;
            if !self.take(b':') {
                return self.fail();
            }
            map.insert(key, self.value()?);
            if self.take(b'}') {
                return Ok(Json::Object(map));
            }
            if !self.take(b',') {
                return self.fail();
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        let mut bytes = Vec::new();
        if !self.take(b'"') {
            return self.fail();
        }
        loop {
            let Some(&byte) = self.text.get(self.at) else { return self.fail() };
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(bytes).map_err(|error| error.to_string()),
                b'\\' => {
                    let letter = self.escape()?;
                    bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => bytes.push(byte),
            }
        }
    }

    /// The character behind a backslash.
    fn escape(&mut self) -> Result<char, String> {
        let Some(&byte) = self.text.get(self.at) else { return self.fail() };
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' => Ok(byte as char),
            b'b' => Ok('\u{8}'),
            b'f' => Ok('\u{c}'),
            b'n' => Ok('\n'),
            b'r' => Ok('\r'),
            b't' => Ok('\t'),
            b'u' => self.code(),
            _ => self.fail(),
        }
    }

    /// The character of `\uXXXX`, or of two such, where it needs a pair of surrogates.
    fn code(&mut self) -> Result<char, String> {
        let mut code = self.hex()?;
        if (0xD800..0xDC00).contains(&code) && self.text[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.hex()?;
            if !(0xDC00..0xE000).contains(&low) {
                return self.fail();
            }
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        Ok(char::from_u32(code).unwrap_or('\u{fffd}'))
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4).and_then(|four| std::str::from_utf8(four).ok());
        match digits.and_then(|four| u32::from_str_radix(four, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.fail(),
        }
    }
}

/// A card of the deck.
struct Card {
    value: i64,
    copies: i64,
    names_something: bool,
}

/// One seat at one table at a time.
struct Player {
    state: u64, // of the random numbers
    cards: BTreeMap<String, Card>,
    seat: usize,
    ruled_out: HashMap<usize, Vec<String>>, // by seat: what was named in vain since it last changed its hand
    named: String,
}

impl Player {
    fn new() -> Player {
        Player { state: 1, cards: BTreeMap::new(), seat: 0, ruled_out: HashMap::new(), named: String::new() }
    }

    /// The answer to a message; None where there is none to give.
    fn answer(&mut self, message: &Json) -> Option<String> {
        match message.get("type").text() {
            "hello" => return Some(HELLO.to_string()),
            "options" => {
                self.state = message.get("values").get("seed").number() as u64 + 1;
                return Some(r#"{"type":"ready"}"#.to_string());
            }
            "match" => self.begin(message),
            "round" => self.ruled_out.clear(),
            _ => {}
        }
        for entry in message.get("log").list() {
            self.learn(entry);
        }
        if message.get("type").text() != "question" {
            return None;
        }
        // Moves are plain words, so they need no escapes.
        Some(format!(r#"{{"type":"move","move":"{}"}}"#, self.choose(message)))
    }

    /// Note the deck and the seat of a match.
    fn begin(&mut self, message: &Json) {
        self.seat = message.get("seat").index().unwrap_or(0);
        self.cards.clear();
        if let Json::Object(cards) = message.get("rules").get("cards") {
            for (name, data) in cards {
                let card = Card {
                    value: data.get("value").number() as i64,
                    copies: data.get("copies").number() as i64,
                    names_something: *data.get("names") != Json::Null,
                };
                self.cards.insert(name.clone(), card);
            }
        }
    }

    /// Keep in mind what a Guard has ruled out; whoever plays, discards or trades may hold anything again.
    fn learn(&mut self, entry: &Json) {
        let event = entry.get("event").text();
        let target = entry.get("target").index();
        if matches!(event, "moved" | "discarded" | "traded" | "received") {
            for seat in entry.get("seat").index().into_iter().chain(target) {
                self.ruled_out.remove(&seat);
            }
        }
        if event == "moved" {
            self.named = entry.get("move").text().rsplit(' ').next().unwrap_or("").to_string();
        }
        if let ("missed", Some(seat)) = (event, target) {
            self.ruled_out.entry(seat).or_default().push(self.named.clone());
        }
    }

    /// The move with the best score; chance decides between equals.
    fn choose(&mut self, question: &Json) -> String {
        let solo = *question.get("known") == Json::Null;
        let mut best = (f64::NEG_INFINITY, "");
        for legal in question.get("legal").list() {
            let words: Vec<&str> = legal.text().split(' ').collect();
            let score = if solo { 0.0 } else { self.score(&words, question) } + 1e-6 * self.random();
            if score > best.0 {
                best = (score, legal.text());
            }
        }
        best.1.to_string()
    }

    /// How good a move is: about the chance that it wins the round, as far as one play can tell.
    fn score(&self, words: &[&str], question: &Json) -> f64 {
        let played = words[0];
        if played == "keep" {
            return self.value(words[1]);
        }
        let Some(card) = self.cards.get(played) else {
            return if words.last() == Some(&"none") { 0.0 } else { 0.1 }; // redraw, stay, look
        };
        let mut hand: Vec<&str> = question.get("hand").list().iter().map(Json::text).collect();
        if let Some(place) = hand.iter().position(|held| *held == played) {
            hand.remove(place);
        }
        let kept = hand.first().copied().unwrap_or(played);
        let score = 0.03 * self.value(kept);
        if played == "princess" {
            return -2.0;
        }
        let target = words.get(1).and_then(|word| word.parse().ok());
        match (target, words.len()) {
            (Some(seat), 3) if card.names_something => {
                let called = |(name, _): &&(String, f64)| self.is_called(name, words[2]);
                score + self.chances(seat, question).iter().filter(called).map(|(_, chance)| chance).sum::<f64>()
            }
            (Some(seat), 2) => score + self.score_target(played, kept, seat, question),
            _ => score + if played == "handmaid" { 0.2 } else { 0.0 },
        }
    }

    /// What the card does to the one who is chosen.
    fn score_target(&self, played: &str, kept: &str, target: usize, question: &Json) -> f64 {
        let chances = self.chances(target, question);
        let expected = |worth: &dyn Fn(&str) -> f64| chances.iter().map(|(card, p)| p * worth(card)).sum::<f64>();
        let mine = self.value(kept);
        match played {
            "baron" => expected(&|card| match mine - self.value(card) {
                more if more > 0.0 => 1.0,
                less if less < 0.0 => -1.0,
                _ => 0.0,
            }),
            "king" => 0.03 * expected(&|card| self.value(card) - mine),
            "prince" if target == self.seat => if kept == "princess" { -2.0 } else { -0.2 },
            "prince" => 0.1 + expected(&|card| if card == "princess" { 1.0 } else { 0.0 }),
            _ => 0.1,
        }
    }

    /// The chance of every card to be in that hand.
    fn chances(&self, seat: usize, question: &Json) -> Vec<(String, f64)> {
        let hands = question.get("known").list();
        let known = hands.get(seat).unwrap_or(&NULL).list();
        if !known.is_empty() {
            return known.iter().map(|card| (card.text().to_string(), 1.0 / known.len() as f64)).collect();
        }
        let mut left: BTreeMap<&str, i64> = self.cards.iter().map(|(name, card)| (name.as_str(), card.copies)).collect();
        let piles = question.get("piles").list();
        let mut seen: Vec<&Json> = hands.iter().chain(piles).flat_map(Json::list).collect();
        seen.extend(question.get("face_up").list());
        if let Json::Object(under) = question.get("under") {
            seen.extend(under.values());
        }
        for card in seen {
            left.entry(card.text()).and_modify(|copies| *copies -= 1);
        }
        let barred = self.ruled_out.get(&seat).map(Vec::as_slice).unwrap_or(&[]);
        left.retain(|card, copies| *copies > 0 && !barred.iter().any(|name| self.is_called(card, name)));
        let total: i64 = left.values().sum();
        left.into_iter().map(|(card, copies)| (card.to_string(), copies as f64 / total as f64)).collect()
    }

    /// The number on a card.
    fn value(&self, card: &str) -> f64 {
        self.cards.get(card).map_or(0.0, |card| card.value as f64)
    }

    /// Whether this is what a Guard or a Bishop calls the card: by its name, or by its number.
    fn is_called(&self, card: &str, name: &str) -> bool {
        name == card || name.parse() == Ok(self.value(card))
    }

    /// A number from 0 to 1, by the generator of Park and Miller: the same seed gives the same match.
    fn random(&mut self) -> f64 {
        self.state = self.state * 48271 % 2147483647;
        self.state as f64 / 2147483647.0
    }
}

fn main() -> io::Result<()> {
    let mut player = Player::new();
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let answer = match Reader::read(&line?) {
            Ok(message) if message.get("type").text() == "quit" => break,
            Ok(message) => player.answer(&message),
            Err(reason) => Some(format!(r#"{{"type":"error","message":"{reason}"}}"#)),
        };
        if let Some(text) = answer {
            writeln!(output, "{text}")?;
            output.flush()?;
        }
    }
    Ok(())
}
