//! An agent is a conversation with the model: that of a run, or one that the model delegates.

use std::{pin::Pin, sync::Arc};

use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::run::{Result, Run};

const MAX_TURNS: usize = 16;

/// Tools that the model may call. An agent that was delegated cannot delegate.
const LOOKUP: &str = r#"{"type":"function","function":{"name":"lookup","description":"Looks something up.","parameters":{"type":"object"}}}"#;
const DELEGATE: &str = r#"{"type":"function","function":{"name":"delegate","description":"Lets an agent do a task.","parameters":{"type":"object","properties":{"task":{"type":"string"}},"required":["task"]}}}"#;

pub struct Agent {
    run: Arc<Run>,
    messages: Vec<String>, // as JSON
    call: Option<String>,  // id of the call of delegate
}

/// A message of the model.
#[derive(Default, Serialize)]
struct Said {
    role: &'static str,
    content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCall>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Value>,
}

#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
struct ToolCall {
    id: String,
    r#type: String,
    function: Function,
}

#[derive(Clone, Default, Deserialize, Serialize)]
#[serde(default)]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Delta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Delta {
    content: Option<String>,
    images: Vec<Value>,
    tool_calls: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    index: usize,
    #[serde(flatten)]
    call: ToolCall,
}

impl Agent {
    pub fn new(run: Arc<Run>, messages: Vec<String>, call: Option<String>) -> Self {
        Agent {
            run,
            messages,
            call,
        }
    }

    /// Asks the model and calls tools until the model stops. Returns the last text. It is boxed, since an agent may
    /// run another.
    pub fn run(mut self) -> Pin<Box<dyn Future<Output = Result<String>> + Send>> {
        Box::pin(async move {
            for _ in 0..MAX_TURNS {
                let said = self.ask().await?;
                let mut turn = vec![serde_json::to_string(&said)?];
                turn.extend(try_join_all(said.tool_calls.iter().map(|c| self.call_tool(c))).await?);
                if self.call.is_none() {
                    self.run.store(&turn).await?;
                }
                self.messages.append(&mut turn);
                if said.tool_calls.is_empty() {
                    return Ok(said.content.unwrap_or_default());
                }
            }
            Err(format!("the model has not stopped after {MAX_TURNS} turns").into())
        })
    }

    async fn emit(&self, name: &str, mut data: Value) -> Result<()> {
        if let Some(call) = &self.call {
            data["agent"] = json!(call);
        }
        self.run.emit(name, data).await
    }

    async fn post(&self, path: &str, body: String) -> Result<reqwest::Response> {
        let server = &self.run.server;
        let url = format!("{}{path}", server.stub_url);
        let request = server
            .client
            .post(url)
            .header("Content-Type", "application/json");
        Ok(request.body(body).send().await?)
    }

    /// Sends the conversation to the model, and passes on what it says.
    async fn ask(&self) -> Result<Said> {
        let tools = match self.call {
            Some(_) => LOOKUP.to_owned(),
            None => format!("{LOOKUP},{DELEGATE}"),
        };
        let messages = self.messages.join(",");
        let body = format!(
            r#"{{"model":"stub","stream":true,"messages":[{messages}],"tools":[{tools}]}}"#
        );
        let answer = self.post("/v1/chat/completions", body).await?;
        if !answer.status().is_success() {
            return Err(format!("model: {}: {}", answer.status(), answer.text().await?).into());
        }
        let mut said = Said {
            role: "assistant",
            content: Some(String::new()),
            ..Said::default()
        };
        let mut body = answer.bytes_stream();
        let (mut held, mut ended) = (Vec::new(), false); // held has no end of a line yet
        while let Some(part) = body.next().await {
            let part = part?;
            let mut from = 0;
            for at in part
                .iter()
                .enumerate()
                .filter(|(_, b)| **b == b'\n')
                .map(|(i, _)| i)
            {
                held.extend_from_slice(&part[from..at]);
                from = at + 1;
                if let Some(data) = held.strip_prefix(b"data: ") {
                    if data == b"[DONE]" {
                        ended = true;
                    } else {
                        for choice in serde_json::from_slice::<Chunk>(data)?.choices {
                            self.hear(&mut said, choice.delta).await?;
                        }
                    }
                }
                held.clear();
            }
            held.extend_from_slice(&part[from..]);
        }
        if !ended {
            return Err("model: the answer breaks off".into());
        }
        if !said.tool_calls.is_empty() {
            said.content = None;
        }
        Ok(said)
    }

    /// Adds a chunk to a message.
    async fn hear(&self, said: &mut Said, delta: Delta) -> Result<()> {
        if let Some(text) = delta.content.filter(|text| !text.is_empty()) {
            said.content.get_or_insert_default().push_str(&text);
            self.emit("token", json!({ "text": text })).await?;
        }
        for image in delta.images {
            self.emit("image", json!({ "url": image["image_url"]["url"] }))
                .await?;
            said.images.push(image);
        }
        for Part { index, call } in delta.tool_calls {
            match said.tool_calls.get_mut(index) {
                Some(begun) => begun.function.arguments.push_str(&call.function.arguments),
                None => said.tool_calls.push(call),
            }
        }
        Ok(())
    }

    /// Returns the message with the result.
    async fn call_tool(&self, call: &ToolCall) -> Result<String> {
        let content = if call.function.name == "delegate" && self.call.is_none() {
            self.delegate(call).await?
        } else {
            self.emit(
                "tool_started",
                json!({"id": call.id, "name": call.function.name}),
            )
            .await?;
            let result = self.lookup(&call.function).await;
            let mut finished = json!({"id": call.id});
            if let Err(error) = &result {
                finished["error"] = json!(error.to_string());
            }
            self.emit("tool_finished", finished).await?;
            result.unwrap_or_else(|error| format!("error: {error}")) // for the model
        };
        Ok(json!({"role": "tool", "tool_call_id": call.id, "content": content}).to_string())
    }

    async fn lookup(&self, function: &Function) -> Result<String> {
        if function.name != "lookup" {
            return Err(format!("no tool {}", function.name).into());
        }
        let answer = self
            .post("/tools/lookup", function.arguments.clone())
            .await?;
        Ok(answer.error_for_status()?.text().await?)
    }

    /// Runs another agent.
    async fn delegate(&self, call: &ToolCall) -> Result<String> {
        #[derive(Deserialize)]
        struct Arguments {
            task: String,
        }
        let Arguments { task } = serde_json::from_str(&call.function.arguments)?;
        self.emit("agent_started", json!({"id": call.id})).await?;
        let message = json!({"role": "user", "content": task}).to_string();
        let text = Agent::new(self.run.clone(), vec![message], Some(call.id.clone()))
            .run()
            .await?;
        self.emit("agent_finished", json!({"id": call.id})).await?;
        Ok(text)
    }
}
