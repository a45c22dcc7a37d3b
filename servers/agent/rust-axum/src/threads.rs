//! Threads and their messages, in PostgreSQL.

use axum::{
    Json,
    extract::{
        Path, Query, State,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};
use sqlx::{FromRow, PgPool};

use crate::{Failure, Shared};

#[derive(FromRow, Serialize)]
pub struct Thread {
    id: i64,
    title: String,
    created_at: DateTime<Utc>,
}

/// A message as the database has it.
#[derive(Serialize)]
pub struct Message {
    pub id: i64,
    pub message: Box<RawValue>,
}

#[derive(Deserialize)]
pub struct Page {
    limit: Option<i64>,
    before: Option<i64>,
}

type Input = Result<Json<Value>, JsonRejection>;
pub type Id = Result<Path<i64>, PathRejection>;

pub fn id_of(id: Id) -> Result<i64, Failure> {
    id.map(|Path(id)| id).map_err(Failure::bad)
}

fn title_of(input: Input) -> Result<String, Failure> {
    let Json(input) = input.map_err(Failure::bad)?;
    match input["title"].as_str() {
        Some(title) => Ok(title.to_owned()),
        None => Err(Failure::bad(r#"want {"title": "..."}"#)),
    }
}

pub async fn create(State(server): State<Shared>, input: Input) -> Result<Response, Failure> {
    let thread: Thread =
        sqlx::query_as("insert into threads (title) values ($1) returning id, title, created_at")
            .bind(title_of(input)?)
            .fetch_one(&server.db)
            .await?;
    Ok((StatusCode::CREATED, Json(thread)).into_response())
}

pub async fn list(
    State(server): State<Shared>,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Response, Failure> {
    let Query(page) = page.map_err(Failure::bad)?;
    let limit = page.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(Failure::bad("limit: want 1 to 100"));
    }
    let threads: Vec<Thread> = sqlx::query_as(
        "select id, title, created_at from threads where id < $1 order by id desc limit $2",
    )
    .bind(page.before.unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_all(&server.db)
    .await?;
    Ok(Json(json!({ "threads": threads })).into_response())
}

pub async fn read(State(server): State<Shared>, id: Id) -> Result<Json<Thread>, Failure> {
    sqlx::query_as("select id, title, created_at from threads where id = $1")
        .bind(id_of(id)?)
        .fetch_optional(&server.db)
        .await?
        .map(Json)
        .ok_or_else(Failure::not_found)
}

pub async fn rename(
    State(server): State<Shared>,
    id: Id,
    input: Input,
) -> Result<Json<Thread>, Failure> {
    sqlx::query_as("update threads set title = $2 where id = $1 returning id, title, created_at")
        .bind(id_of(id)?)
        .bind(title_of(input)?)
        .fetch_optional(&server.db)
        .await?
        .map(Json)
        .ok_or_else(Failure::not_found)
}

pub async fn remove(State(server): State<Shared>, id: Id) -> Result<StatusCode, Failure> {
    let done = sqlx::query("delete from threads where id = $1")
        .bind(id_of(id)?)
        .execute(&server.db)
        .await?;
    match done.rows_affected() {
        0 => Err(Failure::not_found()),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

pub async fn messages(State(server): State<Shared>, id: Id) -> Result<Response, Failure> {
    let id = id_of(id)?;
    let messages = history(&server.db, id).await?;
    if messages.is_empty() && !exists(&server.db, id).await? {
        return Err(Failure::not_found());
    }
    #[derive(Serialize)]
    struct All {
        messages: Vec<Message>,
    }
    Ok(Json(All { messages }).into_response())
}

pub async fn exists(db: &PgPool, id: i64) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select exists (select from threads where id = $1)")
        .bind(id)
        .fetch_one(db)
        .await
}

/// Returns the messages of a thread, in order.
pub async fn history(db: &PgPool, thread: i64) -> Result<Vec<Message>, sqlx::Error> {
    let rows: Vec<(i64, String)> =
        sqlx::query_as("select id, message::text from messages where thread_id = $1 order by id")
            .bind(thread)
            .fetch_all(db)
            .await?;
    rows.into_iter()
        .map(|(id, text)| {
            let message = RawValue::from_string(text).map_err(|e| sqlx::Error::Decode(e.into()))?;
            Ok(Message { id, message })
        })
        .collect()
}

/// Commits messages, all or none, and returns their ids in order.
pub async fn store(db: &PgPool, thread: i64, messages: &[String]) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "insert into messages (thread_id, message)
         select $1, m::json from unnest($2::text[]) with ordinality as t (m, n) order by n
         returning id",
    )
    .bind(thread)
    .bind(messages)
    .fetch_all(db)
    .await
}
